/** Reasons of the spam filter, as stored. Logs, metrics and the operator's list show them, so they are fixed. */
export type SpamReason =
  | 'honeypot filled'
  | 'markup of a web page'
  | 'many links'
  | 'link in a name or phone number'
  | 'sent within seconds'
  | 'form token not ours'
  | 'form token of long ago'
  | 'links';

/** Start of the reason for a quarantine after the virus scan. The name that the scanner gives the virus follows. */
const VIRUS_PREFIX = 'virus scan: ';

/** Returns the reason for a quarantine because of a virus. */
export const virusReason = (virus: string): string => `${VIRUS_PREFIX}${virus}`;

/** Returns the name of the virus; undefined for another reason. */
export const virusOf = (reason: string): string | undefined =>
  reason.startsWith(VIRUS_PREFIX) ? reason.slice(VIRUS_PREFIX.length) : undefined;
