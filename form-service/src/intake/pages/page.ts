import { html, type Html } from '../../html.ts';

/** A complete page that is readable without its stylesheet and needs no script. */
export function page(title: string, content: Html): string {
  return `<!doctype html>
${html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} | Kitewright</title>
<link rel="stylesheet" href="/site.css">
</head>
<body class="mx-auto mt-[clamp(1.5rem,4vw,3rem)] mb-band w-[min(100%-2*var(--spacing-gutter),44rem)]">
<header class="mb-[clamp(2rem,8vw,5rem)]"><a class="font-display text-[1.4rem] font-heavy tracking-tight" href="/">Kitewright</a></header>
<main class="grid gap-6">
${content}
</main>
</body>
</html>
`}`;
}
