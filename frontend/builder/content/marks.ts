/** Text that looks like markup, which visitors would see, with the end of a sentence about it. */
type Mark = readonly [pattern: RegExp, advice: string];

const TAGS = 'a|b|br|div|em|h[1-6]|hr|i|img|li|ol|p|pre|script|span|strong|style|su[bp]|table|t[dhr]|u|ul';

const MARKS: readonly Mark[] = [
  [RegExp(String.raw`<\/?(?:${TAGS})\b[^<>]*>|<!--|&(?:[a-z]{2,}|#x?[\da-f]+);`, 'i'), 'is HTML: write the words'],
  [
    /\*\*|~~|`[^`]+`|\]\s?\(|\]\[[\w ]*\]|\[\^|^\[[^\]]+\]:\s|^\[[ x]?\]\s|(?:^|\s)#\s(?!\d)|#{2}|^\s*\|.*\|/im,
    'is Markdown that does not work here, so visitors would see it',
  ],
  [
    /(?<![\w*\p{Sc}])[*_][^\s*_][^*_\n]*[*_](?!\w)|^[->] (?!\p{Sc}?\d)|^1[.)] .* 2[.)] /u,
    'is Markdown, which works in sentences only',
  ],
  [/[•▪●■◦‣➢]\s/u, 'is a bullet of a word processor: write each point on a line that begins with "- "'],
];

/** Finds what visitors would see as a mark, and not as words. */
export function markIn(text: string): { readonly mistake: string; readonly words: string } | undefined {
  for (const [pattern, advice] of MARKS) {
    const words = pattern.exec(text)?.[0].trim();
    if (words !== undefined) return { mistake: `${words} ${advice}`, words };
  }
  return undefined;
}
