import { NOT_FOUND, one, pageAt, readText } from './built-site.ts';

/** Files of a page's script, relative to the site. */
export interface PageScripts {
  /** Fetched before any input: what the inline boot imports. */
  readonly withBoot: readonly string[];
  /** Everything that is fetched sooner or later, without the modules of other pages. */
  readonly inAll: readonly string[];
  /** The page's content. */
  readonly own: string;
  /** Style sheets that come with them. */
  readonly styles: readonly string[];
}

export const bootOf = (path: string) => one(pageAt(path), 'script:not([type="application/ld+json"])').textContent ?? '';

const inAssets = (specifier: string) => `assets/${specifier.split('/').at(-1)}`;
const matches = (code: string, pattern: RegExp) => [...code.matchAll(pattern)].map(([, found = '']) => found);

const staticImports = (code: string) => matches(code, /\b(?:import|export)\b[^"'`()]*?["'`]([./][^"'`]+\.js)["'`]/g).map(inAssets);
const dynamicImports = (code: string) => matches(code, /\bimport\(\s*["'`]([./][^"'`]+\.js)["'`]\s*\)/g).map(inAssets);

/** What is loaded under a name, as `"/about": () => ...import("./about.js")` in a table of the code. */
function namedImports(code: string): ReadonlyMap<string, string> {
  const entries = code.matchAll(/(["'`]?)([\w/-]+)\1:\(\)=>[\w$]+\(\(\)=>import\(["'`]([^"'`]+)["'`]\)/g);
  return new Map([...entries].map(([, , name = '', file = '']) => [name, inAssets(file)]));
}

/** These files and all they import statically. */
function closure(files: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const imported of staticImports(readText(file))) visit(imported);
  };
  for (const file of files) visit(file);
  return [...seen];
}

/** Follows the built code from a page's boot, through the application, to what this page alone asks for. */
export function scriptsOf(path: string): PageScripts {
  const boot = bootOf(path);
  const early = staticImports(boot);
  const [app, ...others] = matches(boot, /["'`](\/assets\/[\w-]+\.js)["'`]/g).map(inAssets).filter((file) => !early.includes(file));
  if (!app || others.length > 0) throw new Error('the boot loads one application');
  const code = readText(app);
  const named = namedImports(code);
  const own = path === NOT_FOUND ? dynamicImports(code).find((file) => file.startsWith('assets/not-found-')) : named.get(path);
  if (!own) throw new Error(`the application has no content for ${path}`);
  // A table's other entries are kinds of section; the page loads those that its content names.
  const kinds = matches(readText(own), /\bkind:["'`]([\w-]+)["'`]/g);
  const sections = [...new Set(kinds)].flatMap((kind) => named.get(kind) ?? []);
  const withBoot = closure(early);
  const inAll = [...new Set([...withBoot, ...closure([app, own, ...sections])])];
  const styles = inAll.flatMap((file) => matches(readText(file), /["'`](\/?assets\/[^"'`]+\.css)["'`]/g)).map(inAssets);
  return { withBoot, inAll, own, styles: [...new Set(styles)] };
}
