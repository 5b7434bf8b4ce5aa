import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const FOLDER = '.github/workflows';
const WORKSPACES = ['frontend', 'form-service', 'e2e'] as const;

/** All that jobs may write, by workflow and job; nothing else may write anything. */
const MAY_WRITE: Readonly<Record<string, readonly string[]>> = {
  'checks.yml code-scan': ['security-events'],
  'release.yml checks': ['security-events'],
  'release.yml images': ['packages', 'id-token'],
  'release.yml announce': ['contents'],
};

interface Job {
  readonly uses?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
}
interface Workflow {
  readonly permissions?: Readonly<Record<string, string>> | string;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** Workflows that trust what can change under them, or that may do more than they must; actionlint finds what is plainly wrong. */
export function workflowProblems(root = '.'): string[] {
  const files = readdirSync(join(root, FOLDER)).map((name) => ({
    name,
    text: readFileSync(join(root, FOLDER, name), 'utf8'),
  }));
  const problems = files.flatMap(({ name, text }) =>
    [...pinProblems(text), ...rightProblems(name, parse(text) as Workflow)].map((problem) => `${name}: ${problem}`),
  );
  return [...problems, ...versionProblems(files.map(({ text }) => text))];
}

/** A version that is not written down where a release looks for it. */
export function changelogProblems(root = '.'): string[] {
  const versionOf = (folder: string) =>
    (JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as { version: string }).version;
  const version = versionOf('.');
  const section = new RegExp(
    String.raw`^## \[${version.replaceAll('.', String.raw`\.`)}\] - \d{4}-\d{2}-\d{2}\n+\S`,
    'm',
  );
  const others = WORKSPACES.filter((folder) => versionOf(folder) !== version);
  return [
    ...(section.test(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))
      ? []
      : [`CHANGELOG.md has no section of ${version}`]),
    ...others.map((folder) => `${folder} is of version ${versionOf(folder)}`),
  ];
}

/** A tag can be moved to other code; a commit cannot. The comment is for people, and for who updates it. */
function pinProblems(text: string): string[] {
  const uses = text.split('\n').flatMap((line) => /uses:\s*(.+)$/.exec(line)?.[1] ?? []);
  return uses
    .filter((one) => !one.startsWith('./') && !/^[\w.-]+(\/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(one))
    .map((one) => `${one} is not pinned to a commit, with its version`);
}

function rightProblems(name: string, { permissions, jobs }: Workflow): string[] {
  const rights = typeof permissions === 'object' ? writes(permissions) : ['everything'];
  return [
    ...rights.map((right) => `every job may write ${right}`),
    ...Object.entries(jobs).flatMap(([job, { uses, permissions: own = {}, 'timeout-minutes': minutes }]) => [
      ...writes(own)
        .filter((right) => !MAY_WRITE[`${name} ${job}`]?.includes(right))
        .map((right) => `${job} may write ${right}`),
      ...(uses === undefined && minutes === undefined ? [`${job} has no time limit`] : []),
    ]),
  ];
}

function writes(permissions: Readonly<Record<string, string>>): string[] {
  return Object.keys(permissions).filter((right) => permissions[right] === 'write');
}

/** One repository's actions are of one version everywhere. */
function versionProblems(texts: readonly string[]): string[] {
  const pins = texts.flatMap((text) =>
    [...text.matchAll(/uses: ([\w.-]+\/[\w.-]+)[\w./-]*@([0-9a-f]{40})/g)].map(
      ([, repository, commit]) => `${repository}@${commit}`,
    ),
  );
  const repositories = [...new Set(pins)].map((pin) => pin.slice(0, pin.indexOf('@')));
  return repositories
    .filter((one, index) => repositories.indexOf(one) !== index)
    .map((one) => `${one} is used in several versions`);
}
