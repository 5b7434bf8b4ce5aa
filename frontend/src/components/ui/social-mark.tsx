/** Outlines of networks' icons by their hosts, on a square of 24 units. */
const outlines: Readonly<Record<string, string>> = {
  'linkedin.com':
    'M4 9h4v11H4zM6 3.6a2.1 2.1 0 1 1 0 4.2 2.1 2.1 0 0 1 0-4.2zM10 9h3.8v1.6c.6-1 1.8-1.9 3.5-1.9 3 0 3.7 2 3.7 4.8V20h-4v-5.8c0-1.3-.2-2.5-1.6-2.5S13.9 13 13.9 14.3V20H10z',
  'x.com': 'M3 3h5.6l4.2 6.1L18 3h2.5l-6.6 7.7L21.3 21h-5.6l-4.6-6.6L5.5 21H3l7-8.1zm3.6 1.8 10 14.4h1.8L8.4 4.8z',
  'facebook.com':
    'M13.5 21v-7.5h2.7l.5-3.3h-3.2V8c0-1 .4-1.7 1.9-1.7h1.5V3.3C16.5 3.2 15.6 3 14.6 3c-2.5 0-4.3 1.5-4.3 4.3v2.9H7.5v3.3h2.8V21z',
};

/** Mark of a social network: its icon, or its name if there is none. */
export function SocialMark({ name, href }: { name: string; href: string }) {
  const { hostname } = new URL(href);
  const [, outline] = Object.entries(outlines).find(([host]) => `.${hostname}`.endsWith(`.${host}`)) ?? [];
  if (!outline) return name;
  return (
    <svg className="size-[1.25em] flex-none fill-current" viewBox="0 0 24 24" aria-hidden="true">
      <path d={outline} />
    </svg>
  );
}
