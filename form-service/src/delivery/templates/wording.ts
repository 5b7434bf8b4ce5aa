import type { FormField } from '../../contract/fields.ts';
import type { Submission } from '../../submissions/submission.ts';

const SUBJECT_MAX_CHARS = 180;

/** One header line whatever the values hold: validation refuses line breaks too, but a header must not rely on that. */
export function subjectLine(text: string): string {
  const line = text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
  const characters = [...line];
  return characters.length > SUBJECT_MAX_CHARS ? `${characters.slice(0, SUBJECT_MAX_CHARS - 1).join('')}…` : line;
}

/** A form's values under the labels that the visitor saw, without the marks for required and optional. */
export function labelledValues<Name extends string>(fields: readonly FormField<Name>[], values: Partial<Record<Name, string>>) {
  return fields
    .filter(({ input }) => input !== 'textarea' && input !== 'file')
    .map(({ name, label }) => [plainLabel(label), values[name] ?? ''] as const);
}

export function plainLabel(label: string): string {
  return label.replace(/ (?:\*|\(Optional\))$/, '');
}

/** What the reader of a submission must know that was set aside: it is here because an operator let it go. */
export function releaseNotices({ reasons = [] }: Pick<Submission, 'reasons'>): string[] {
  return reasons.length === 0 ? [] : [`this was set aside because of: ${reasons.join(', ')}. An operator looked at it and released it.`];
}

/** `Message-ID` of a submission's mail (RFC 5322, 3.6.4); `purpose` tells a second kind of mail from the first. */
export function messageIdOf(id: string, siteUrl: string, purpose?: string): string {
  return `<${purpose ? `${id}.${purpose}` : id}@${new URL(siteUrl).hostname}>`;
}

/** Made once: making one takes longer than all the rest of a message. */
const LONG_DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** For example `21 November 2026 at 03:27 UTC`. */
export function receivedAtText({ receivedAt }: Pick<Submission, 'receivedAt'>): string {
  return `${LONG_DATE.format(new Date(receivedAt))} UTC`;
}

/** For example `9.4 MB (9,856,000 bytes)`. */
export function sizeText(bytes: number): string {
  const exact = `${bytes.toLocaleString('en-GB')} bytes`;
  if (bytes < 1024) return exact;
  const [value, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'kB'] : [bytes / 1024 / 1024, 'MB'];
  return `${value.toFixed(1)} ${unit} (${exact})`;
}
