import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const DOCUMENTS = ['*.md', 'docs/*.md', 'docs/decisions/*.md', '.github/*.md'];
const RULES = 'monitoring/rules/*.yml';

/** Files that refer to a section of the documents for what to do. */
const SECTION_REFERENCES = [RULES, 'form-service/src/**/*.ts'];
const SOURCES = '{form-service,frontend,e2e,scripts,nginx}/**/*.{ts,tsx,css,js}';

const read = (path: string) => readFileSync(path, 'utf8');

/** Anchor of a heading, as GitHub generates it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const headingsOf = (document: string) => [...read(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);

/** Finds links, paths, tests, commands, quotes and sections that documents and alert rules name but that do not exist. */
export function documentProblems(): string[] {
  const sources = globSync(SOURCES, { exclude: (name) => /^(node_modules|dist)$/.test(name) }).map(
    (path) => `/${path}`,
  );
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };

  const isThere = (from: string, target: string) => {
    const [path = '', anchor] = target.split('#');
    const file = path ? join(dirname(from), path) : from;
    return existsSync(file) && (anchor === undefined || headingsOf(file).map(anchorOf).includes(anchor));
  };
  const documents = DOCUMENTS.flatMap((pattern) => globSync(pattern)).flatMap((document) => {
    const text = read(document);
    const links = [...text.matchAll(/(?<!`)\[[^\]`]+\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    const code = [...text.matchAll(/`([^`\n]+)`/g)].map(([, words = '']) => words);
    const commands = [...text.matchAll(/(?:^|`)npm (?:run )?([a-z][\w:-]*)/gm)].map(([, name = '']) => name);
    return [
      ...links.filter((target) => !/^(?:https?:|mailto:|\/)/.test(target) && !isThere(document, target)),
      ...code.filter(isPath).filter((path) => globSync(path).length === 0 && !text.includes(`Create \`${path}\``)),
      ...code
        .filter(isTest)
        .filter((name) => !sources.some((path) => path.replace(/\.tsx?$/, '').endsWith(`/${withoutEnding(name)}`))),
      ...commands.filter((name) => !(name in scripts) && !NPM_COMMANDS.has(name)).map((name) => `npm run ${name}`),
      ...missingQuotes(text),
    ].map((what) => `${document}: there is no ${what}`);
  });
  const references = SECTION_REFERENCES.flatMap((pattern) => globSync(pattern)).flatMap((file) =>
    [...read(file).matchAll(/docs\/[\w/-]+\.md#[\p{L}\p{N}_-]+/gu)]
      .filter(([target]) => !isThere('.', target))
      .map(([target]) => `${file}: there is no ${target}`),
  );
  return [...new Set([...documents, ...references])];
}

/** Returns the quoted blocks that are not in their file: ```ts PATH, with `// ...` for left out lines. Indentation may differ. */
function missingQuotes(text: string): string[] {
  return [...text.matchAll(/^```\w+ (\S+)\n([^]*?)^```$/gm)]
    .filter(([, path = '', quote = '']) => !isQuoteOf(linesOf(read(path)), linesOf(quote)))
    .map(([, path, quote = '']) => `quote in ${path}: ${linesOf(quote)[0]}`);
}

const LEFT_OUT = '// ...';
const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** Whether the parts of a quote follow one another in the source, each of them without a gap. */
function isQuoteOf(source: readonly string[], quote: readonly string[]): boolean {
  const end = quote.indexOf(LEFT_OUT);
  const part = end < 0 ? quote : quote.slice(0, end);
  const at = source.findIndex((_, index) => part.every((line, offset) => source[index + offset] === line));
  return at >= 0 && (end < 0 || isQuoteOf(source.slice(at + part.length), quote.slice(end + 1)));
}

const NPM_COMMANDS = new Set(['ci', 'install', 'exec', 'audit', 'outdated']);

const isPath = (code: string) =>
  /^(?:bench|docs|e2e|form-service|frontend|kubernetes|monitoring|nginx|scripts)\/[\w./*{},-]*$/.test(code) &&
  !/\/dist|NNNN/.test(code) &&
  !isTest(code);
const isTest = (code: string) => /^[\w/*.-]+\.(?:spec|test|integration)(?:\.tsx?)?$/.test(code) && !code.includes('*');
const withoutEnding = (name: string) => name.replace(/\.tsx?$/, '').replace(/^(?:e2e|frontend|form-service)\//, '');
