/** Addresses that are files or belong to the server; a page cannot have them. */
const TAKEN = /^\/(?:api|assets|images|icons|fonts|schema|inbox)(?:\/|$)/;

/** Path of the page that a file makes, or undefined where it makes none. */
export function pathOf(file: string): string | undefined {
  const [, folder, name = ''] = /^(pages|jobs|legal)\/([a-z0-9/-]+)\.(?:yaml|md)$/.exec(file) ?? [];
  if (folder === 'jobs') return `/careers/${name}`;
  return folder && (name === 'home' || name === 'index' ? '/' : `/${name}`);
}

/** How the files of a folder end. */
const ENDINGS: Readonly<Record<string, string>> = { pages: '.yaml', jobs: '.md', legal: '.md' };

/**
 * What is wrong with a file's name, in words for who gave it.
 *
 * @param others the names of all files, which may have the address that follows from this one
 */
export function wrongName(file: string, others: readonly string[]): string | undefined {
  if (file === 'company.yaml' || file === 'navigation.yaml') return undefined;
  const [folder = ''] = file.split('/');
  const ending = file.includes('/') ? ENDINGS[folder] : undefined;
  if (!ending)
    return 'belongs to nothing: a page is pages/a-name.yaml, a job jobs/a-name.md, a legal text legal/a-name.md';
  const right = `${file
    .replace(/\.\w+$/, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9/]+/g, '-')}${ending}`;
  if (file !== right) return `rename it ${right}: small letters, digits and hyphens, and ${ending} at its end`;
  const path = pathOf(file) ?? '';
  if (TAKEN.test(path)) return `has the address ${path}, which belongs to the server: choose another name`;
  const other = others.find((name) => name < file && pathOf(name) === path);
  return other && `has the address ${path}, which content/${other} has too`;
}
