import type { Settings } from './settings.ts';

const DEFAULT_SMTP_URL = 'smtp://127.0.0.1:1025';

/** A sentence for each setting with which a service in production runs, and its mails reach nobody. */
export function placeholdersIn(
  settings: Pick<Settings, 'SMTP_URL' | 'SALES_INBOX' | 'HR_INBOX' | 'MAIL_FROM'>,
  { NODE_ENV }: Readonly<Record<string, string | undefined>> = process.env,
): string[] {
  if (NODE_ENV !== 'production') return [];
  const addresses = (['SALES_INBOX', 'HR_INBOX', 'MAIL_FROM'] as const).filter((name) =>
    settings[name].endsWith('.example'),
  );
  return [
    ...(settings.SMTP_URL === DEFAULT_SMTP_URL ? ['SMTP_URL is not set: no mail leaves this machine'] : []),
    ...addresses.map((name) => `${name} is an address of the example: mails to it reach nobody`),
  ];
}
