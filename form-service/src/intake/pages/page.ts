import { html, type Html } from '../../html.ts';

/** A complete page that needs no script and is readable without its stylesheet. */
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
<body class="plain-page">
<header><a class="logo" href="/">Kitewright</a></header>
<main>
${content}
</main>
</body>
</html>
`}`;
}
