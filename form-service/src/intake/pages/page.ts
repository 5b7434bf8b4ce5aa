import { html, type Html } from '../../html.ts';
import type { FormProfile } from '../forms.ts';
import type { HttpError } from '../http-error.ts';

/** A complete page that needs no script and is readable without its stylesheet. */
export function page(company: string, title: string, content: Html): string {
  return `<!doctype html>
${html`<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} | ${company}</title>
<link rel="stylesheet" href="/site.css">
</head>
<body class="mx-auto mt-[clamp(1.5rem,4vw,3rem)] mb-band w-[min(100%-2*var(--spacing-gutter),44rem)]">
<header class="mb-[clamp(2rem,8vw,5rem)]"><a class="font-display text-[1.4rem] font-heavy tracking-tight" href="/">${company}</a></header>
<main class="grid gap-6">
${content}
</main>
</body>
</html>
`}`;
}

/** The page for a browser without script whose submission was accepted. */
export function sentPage(company: string, form: FormProfile, reference: string): string {
  return page(
    company,
    form.sent,
    html`<h1 class="text-2xl">${form.sent}</h1>
<div class="notice" role="status">
<p>${form.sentDetail}</p>
<p>Your reference is <strong class="whitespace-nowrap">${reference}</strong>.</p>
</div>
<p><a class="button" href="${form.page}">Back to the site</a></p>`,
  );
}

/** The page for a browser without script when the error is not about a field of the form. */
export function errorPage(company: string, form: FormProfile | undefined, error: HttpError): string {
  const title = form?.failed ?? 'This did not work';
  return page(
    company,
    title,
    html`<h1 class="text-2xl">${title}</h1>
<div class="notice notice-error" role="alert">
<p>${error.message}</p>
</div>
${
  form &&
  html`<p>Your browser's Back button brings back what you typed.</p>
`
}<p><a class="button" href="${form?.page ?? '/'}">Back to the site</a></p>`,
  );
}
