/**
 * The spam signals and their weights. The names are fixed words, because logs, metrics and the operator's list show
 * them.
 */
export const WEIGHTS = {
  'honeypot filled': 4,
  'same text from several senders': 3,
  'markup of a web page': 2,
  'many links': 2,
  'link in a name or phone number': 2,
  'sent within seconds': 2,
  'form token not ours': 2,
  'form token used often': 2,
  'form token of long ago': 1,
  links: 1,
} as const;

export type SpamReason = keyof typeof WEIGHTS;

/**
 * A submission is quarantined from this sum of weights on. Only the honeypot reaches it alone: people do write about
 * code, send links, and send the same again.
 */
export const THRESHOLD = 4;

/** More links than this are suspicious; a portfolio needs fewer. */
const MANY_LINKS = 5;

const LINK = /\b(?:https?:\/\/|www\.)\S/gi;

/**
 * Elements, handlers and forum tags that spam and probes contain. The match takes linear time: no text matches in two
 * ways.
 */
const MARKUP =
  /<[\s/]*(?:a\s|script|iframe|object|embed|svg|img\s|style|meta)|javascript:|\bon(?:click|error|load|focus|mouseover)\s*=|\[url[=\]]/i;

const SHORT_FIELDS: ReadonlySet<string> = new Set(['name', 'fullName', 'phone']);

/** The signals that the texts of a submission give by themselves. */
export function contentReasons(fields: Readonly<Record<string, string>>): SpamReason[] {
  const texts = Object.values(fields);
  const found: SpamReason[] = [];
  const links = texts.reduce((sum, text) => sum + (text.match(LINK)?.length ?? 0), 0);
  if (links > MANY_LINKS) found.push('many links');
  else if (links > 0) found.push('links');
  if (Object.entries(fields).some(([name, value]) => SHORT_FIELDS.has(name) && value.search(LINK) >= 0))
    found.push('link in a name or phone number');
  if (texts.some((text) => MARKUP.test(text))) found.push('markup of a web page');
  return found;
}

export function scoreOf(suspicions: readonly SpamReason[]): number {
  return suspicions.reduce((sum, suspicion) => sum + WEIGHTS[suspicion], 0);
}
