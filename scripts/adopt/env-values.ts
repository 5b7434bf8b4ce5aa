/** Characters that Docker Compose, Node.js or a shell read differently without quotes. */
const NEEDS_QUOTES = /[\s#$"\\`&;]/;

/** Sets variables in the text of an `.env`. A new one follows the comment that explains it, if there is one. */
export function setVariables(source: string, values: ReadonlyMap<string, string>): string {
  return [...values].reduce((text, [name, value]) => {
    const line = `${name}=${NEEDS_QUOTES.test(value) ? `'${value}'` : value}`;
    const set = new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=.*$`, 'm');
    const example = new RegExp(`^#[ \\t]*${name}=.*$`, 'm');
    if (set.test(text)) return text.replace(set, () => line);
    if (example.test(text)) return text.replace(example, (comment) => `${comment}\n${line}`);
    return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`;
  }, source);
}
