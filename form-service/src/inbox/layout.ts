import { html, type Html } from '../html.ts';
import type { InboxUser } from '../config/inbox-users.ts';

/** What every page of the inbox shows beside its content. */
export interface Frame {
  readonly companyName: string;
  readonly title: string;
  readonly user?: InboxUser;
}

const ROLE_WORDS = { sales: 'enquiries', hr: 'applications', all: 'everything' } as const;

/** A whole page in the look of the site. It needs no script, and is readable without its style sheet. */
export function page({ companyName, title, user }: Frame, content: Html): string {
  return `<!doctype html>
${html`<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<title>${title} | ${companyName} inbox</title>
<link rel="stylesheet" href="/site.css">
</head>
<body class="mx-auto w-[min(100%-2rem,64rem)] pb-band">
<a class="sr-only focus:not-sr-only" href="#content">Skip to the content</a>
<header class="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-b border-line py-4">
<a class="font-display text-lg font-heavy tracking-tight" href="/inbox">${companyName} inbox</a>
${user && html`<p class="text-sm text-muted">${user.name}, ${ROLE_WORDS[user.role]}</p>`}
</header>
<main id="content" class="mt-6 grid gap-8">
${content}
</main>
</body>
</html>
`}`;
}

/** A page that says one sentence, such as why nothing was done. */
export function messagePage(companyName: string, sentence: string, user?: InboxUser): string {
  const content = html`<h1 class="text-2xl">${sentence}</h1>
${user && html`<p><a class="underline" href="/inbox">Back to the list</a></p>`}`;
  return page({ companyName, title: sentence, ...(user && { user }) }, content);
}

/** A time as people say it, with the machine's form beside it. */
export function timeOf(time: number | string, timeZone: string): Html {
  const text = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  }).format(new Date(time));
  return html`<time datetime="${new Date(time).toISOString()}">${text}</time>`;
}
