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

/** Prefix of a reason of the virus scan, followed by the name that the scanner gives the virus. */
const VIRUS_PREFIX = 'virus scan: ';

/** Returns the reason for the quarantine of a file with a virus. */
export const virusReason = (finding: string): string => `${VIRUS_PREFIX}${finding}`;

/** Returns the virus that a reason names; undefined for a reason of the spam filter. */
export function virusIn(reason: string): string | undefined {
  return reason.startsWith(VIRUS_PREFIX) ? reason.slice(VIRUS_PREFIX.length) : undefined;
}
