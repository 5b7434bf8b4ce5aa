/** Reasons of the spam filter, as stored. Logs, metrics and the operator's list show them, so they are fixed. */
export type SpamReason =
  | 'honeypot filled'
  | 'same text from several senders'
  | 'markup of a web page'
  | 'many links'
  | 'link in a name or phone number'
  | 'sent within seconds'
  | 'form token not ours'
  | 'form token used often'
  | 'form token of long ago'
  | 'links';

/** Finding of the virus scan. */
export interface VirusFinding {
  readonly kind: 'virus';
  /** Name that the scanner gives the virus. */
  readonly name: string;
}

/** Reason for a quarantine. A text is a `SpamReason`, or a reason that another version has stored. */
export type Reason = string | VirusFinding;

/** Start of the stored text of a virus finding. */
const VIRUS_PREFIX = 'virus scan: ';

/** Returns a reason as it is stored, and as the operator's commands print it. */
export function storedReason(reason: Reason): string {
  return typeof reason === 'string' ? reason : `${VIRUS_PREFIX}${reason.name}`;
}

/** Returns the reason of a stored text. Only the mapper of the rows calls this. */
export function reasonOf(stored: string): Reason {
  return stored.startsWith(VIRUS_PREFIX) ? { kind: 'virus', name: stored.slice(VIRUS_PREFIX.length) } : stored;
}
