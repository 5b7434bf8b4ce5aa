import type { Text } from '../../content/elements.ts';

const LINK = /\[([^\]]+)\]\(([^)\s]+)\)/;

/** What a line must not end within: a range such as "1-2", and "e-mail". */
const UNBROKEN = /(\d+-\d+|e-mail)/;

const withoutBreaks = (text: string) =>
  text.split(UNBROKEN).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={index} className="whitespace-nowrap">
        {part}
      </span>
    ),
  );

/** Copy with its `[label](href)` links made real. */
export function RichText({ children }: { children: Text }) {
  // split() with two groups yields text, label, href, text, label, href, ...
  const parts = children.split(new RegExp(LINK, 'g'));
  return parts.map((part, index) => {
    if (index % 3 === 0) return withoutBreaks(part);
    if (index % 3 === 2) return null;
    return (
      <a key={index} href={parts[index + 1]}>
        {part}
      </a>
    );
  });
}
