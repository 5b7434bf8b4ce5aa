import type { Text } from '../content/model.ts';
import { SiteLink } from './site-link.tsx';

const LINK = /\[([^\]]+)\]\(([^)\s]+)\)/;

/** Copy with its `[label](href)` links made real. */
export function RichText({ children }: { children: Text }) {
  // split() with two groups yields text, label, href, text, label, href, ...
  const parts = children.split(new RegExp(LINK, 'g'));
  return parts.map((part, index) => {
    if (index % 3 === 0) return part;
    if (index % 3 === 2) return null;
    return (
      <SiteLink key={index} href={parts[index + 1] ?? '/'}>
        {part}
      </SiteLink>
    );
  });
}
