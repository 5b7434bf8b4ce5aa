import { isScalar, visit, type Document } from 'yaml';

/** `  - heading: words`: the value of a field. */
const VALUE = /^\s*(?:- +)*[\w-]+: +(.*)$/;

/**
 * Returns the first syntax error, because the others mostly follow from it, or else text that YAML silently misreads. The
 * messages are for people who do not know YAML.
 */
export function yamlMistakes(document: Document.Parsed, source: string) {
  const [error] = document.errors;
  if (!error) return misread(document, source);
  const [offset] = error.pos;
  const line = source.slice(source.lastIndexOf('\n', offset - 1) + 1).split('\n', 1)[0] ?? '';
  const value = VALUE.exec(line)?.[1] ?? line.trim();
  const needsQuotes = /: |^[{[*&!>|@%`?#"'-]/.test(value);
  if (error.code === 'TAB_AS_INDENT')
    return [{ offset, message: 'the line begins with a tab: use spaces, two for each step' }];
  if (error.code === 'DUPLICATE_KEY') return [{ offset, message: 'this field stands here twice: keep one' }];
  const reason = (error.message.split('\n')[0] ?? '').replace(/ at line \d+.*/, '');
  return [
    {
      offset,
      message: needsQuotes
        ? `${value} needs quotes around the whole text ("..."), because of its colon, quote or first sign`
        : `this is no field ("name: words"). Compare its spaces with those of the line above (${reason})`,
    },
  ];
}

/** Finds text that YAML reads as something else, without an error. */
function misread(document: Document.Parsed, source: string) {
  const mistakes: { offset: number; message: string }[] = [];
  visit(document, {
    Node(_key, node) {
      const [start = 0, end = 0] = 'range' in node && node.range ? node.range : [];
      const refuse = (message: string, offset = start) => mistakes.push({ offset, message });
      if (('anchor' in node && node.anchor) || ('tag' in node && /^!(?!!)|^tag:(?!yaml)/.test(String(node.tag))))
        refuse('a text that begins with & or ! needs quotes');
      if (!isScalar(node)) return;
      if (String(node.value) in {}) refuse(`${node.value} cannot stand here`);
      if (node.type !== 'PLAIN') return;
      if (/^[ \t]*#/.test(source.slice(end))) refuse('the text ends before "#": put the whole text in quotes');
      const item = /\n\s*- /.exec(source.slice(start, end));
      if (item)
        refuse(
          'this counts as a part of the text above: give all items the same number of spaces',
          start + item.index + 1,
        );
    },
  });
  return mistakes;
}
