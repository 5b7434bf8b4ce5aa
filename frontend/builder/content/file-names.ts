import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { FORMS } from '../../../form-service/src/contract/forms.ts';

/** Paths of static files and of the server, which a page cannot have. */
const TAKEN = /^\/(?:api|assets|images|icons|fonts|inbox)(?:\/|$)/;

/** Whether an editor or operating system made the file, such as `about.yaml~`, `~$about.yaml` or `Thumbs.db`. */
const isToolFile = (name: string) => /^(?:\.|~\$|#)|~$|^(?:thumbs\.db|desktop\.ini)$/i.test(name);

/** Lists the files within a folder by their paths in it, without those that tools make. */
export const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !isToolFile(entry.name))
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll('\\', '/'))
    .sort();

/** Name of a position in its address: `android-developer` for `jobs/android-developer.md`. */
export const slugOf = (file: string) => file.replace(/^jobs\/|\.md$/g, '');

/** Files about the whole site. */
export const SITE_FILES = ['brand.yaml', 'company.yaml', 'navigation.yaml', 'wording.yaml'];

/** Template of the pages of all positions. */
export const JOB_TEMPLATE = 'pages/job.yaml';

/** Files that the site needs, so that none of them can be a draft. */
export const NEEDED = [...SITE_FILES, JOB_TEMPLATE, 'pages/home.yaml', 'pages/404.yaml'];

/** Path of the page that a file makes; empty for a file that makes none. */
export function pathOf(file: string): string {
  if (file === JOB_TEMPLATE) return '';
  const [, folder, name = ''] = /^(pages|jobs|legal)\/([a-z0-9/-]+)\.(?:yaml|md)$/.exec(file) ?? [];
  if (folder === 'jobs') return `/careers/${name}`;
  if (!folder) return '';
  return name === 'home' || name === 'index' ? '/' : `/${name}`;
}

/** File extension in each folder. */
const EXTENSIONS: Readonly<Record<string, string>> = { pages: '.yaml', jobs: '.md', legal: '.md' };

/** Makes a name for an address: small letters without marks, digits and hyphens. */
export const nameForAddress = (name: string) =>
  name
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9/]+/g, '-')
    .replaceAll(/(?<=^|\/)-|-(?=\/|$)/g, '');

/** Ids of forms and of their fields, alone or with an ending such as `-hint`. */
const FORM_ID = new RegExp(
  `^(?:${FORMS.flatMap(({ kind, rules }) => [kind, ...rules.map(({ name }) => name)]).join('|')})(?:-[a-z]+)?$`,
);

/** Whether a form has an id, or it is of the frame of the pages, whose ids begin with `site-`. */
export const isTakenId = (id: string): boolean => id.startsWith('site-') || FORM_ID.test(id);

/**
 * Returns what is wrong with a file's name.
 *
 * @param others names of all files, one of which may make a page of the same path
 */
export function wrongName(file: string, others: readonly string[]): string | undefined {
  if (SITE_FILES.includes(file)) return undefined;
  const [folder = ''] = file.split('/');
  const ending = file.includes('/') ? EXTENSIONS[folder] : undefined;
  if (!ending)
    return 'belongs to nothing: a page is pages/a-name.yaml, a job jobs/a-name.md, a legal text legal/a-name.md';
  const right = `${nameForAddress(file.replace(/(?:\.(?:yaml|yml|md|txt|docx?|rtf|json))+$/i, ''))}${ending}`;
  if (file !== right) return `rename it ${right}: small letters, digits and hyphens, and ${ending} at its end`;
  const path = pathOf(file);
  if (TAKEN.test(path)) return `has the address ${path}, which belongs to the server: choose another name`;
  if (folder === 'jobs' && isTakenId(slugOf(file)))
    return 'has the name of a part of the page that lists it: choose another name';
  const other = others.find((name) => path && name < file && pathOf(name) === path);
  return other && `has the address ${path}, which content/${other} has too`;
}
