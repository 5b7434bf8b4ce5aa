import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'docs/*.md', 'docs/decisions/*.md', 'kubernetes/README.md'];
const RULES = 'monitoring/rules/*.yml';
const OPERATIONS = 'docs/operations.md';
const METRICS_NAMED_IN = [RULES, 'monitoring/grafana/dashboards/*.json', OPERATIONS];
const SOURCES = '{form-service,frontend,e2e,scripts,nginx}/**/*.{ts,tsx,css,js}';

const read = (path: string) => readFileSync(path, 'utf8');

/** Of a heading, as GitHub makes its anchor. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const headingsOf = (document: string) => [...read(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);

/** Links, paths, tests, commands, sections and metrics that documents and alert rules name and that are not there. */
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
      ...code.filter(isPath).filter((path) => globSync(path).length === 0),
      ...code
        .filter(isTest)
        .filter((name) => !sources.some((path) => path.replace(/\.tsx?$/, '').endsWith(`/${withoutEnding(name)}`))),
      ...commands.filter((name) => !(name in scripts) && !NPM.has(name)).map((name) => `npm run ${name}`),
    ].map((what) => `${document}: there is no ${what}`);
  });
  const headings = new Set(headingsOf(OPERATIONS).map((heading) => heading.replaceAll('"', '')));
  const runbooks = globSync(RULES).flatMap((file) =>
    [...read(file).matchAll(/runbook: 'docs\/operations\.md, "(.+)"'/g)]
      .filter(([, section = '']) => !headings.has(section))
      .map(([, section]) => `${file}: ${OPERATIONS} has no section ${section}`),
  );
  const service = globSync('form-service/src/**/*.ts').map(read).join('');
  const metrics = METRICS_NAMED_IN.flatMap((pattern) => globSync(pattern)).flatMap((file) =>
    [...new Set(read(file).match(/(?<!\w)kitewright_(?!back\b|redis\b|data\b)[a-z_]+/g))]
      .map((name) => name.replace(/_(?:bucket|count|sum)$/, ''))
      .filter((name) => !service.includes(`'${name}'`) && !service.includes(`'${name.replace('kitewright_', '')}'`))
      .map((name) => `${file}: there is no metric ${name}`),
  );
  return [...new Set([...documents, ...runbooks, ...metrics])];
}

/** npm's own. */
const NPM = new Set(['ci', 'install', 'exec']);

const isPath = (code: string) =>
  /^(?:bench|docs|e2e|form-service|frontend|kubernetes|monitoring|nginx|scripts)\/[\w./*{},-]*$/.test(code) &&
  !/\/dist|NNNN/.test(code) &&
  !isTest(code);
const isTest = (code: string) => /^[\w/*.-]+\.(?:spec|test|integration)(?:\.tsx?)?$/.test(code) && !code.includes('*');
const withoutEnding = (name: string) => name.replace(/\.tsx?$/, '').replace(/^(?:e2e|frontend|form-service)\//, '');
