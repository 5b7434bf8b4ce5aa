import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { findProgram, installPackages } from '../stack/programs.ts';
import { StartError } from '../stack/start-error.ts';

/** One object of a cluster, as kustomize writes it. */
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** The command that builds an overlay. */
type Kustomize = readonly [program: string, ...args: string[]];

/** Within the repository, so that the compiler finds the types. */
const CACHE = 'node_modules/.cache/kitewright';

/** Since this one, labels can be set without changing selectors. */
const OLDEST_MAJOR = 5;

/** Why the manifests are not checked where there is none. */
export const MISSING = `kustomize ${OLDEST_MAJOR} is needed, or a kubectl with it`;

/** Finds kustomize or the one within kubectl, or installs it where that is possible. */
export function offerKustomize(): Kustomize | undefined {
  if (findProgram('kustomize') === undefined && findProgram('kubectl') === undefined) {
    try {
      installPackages(['kubernetes-client']);
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      process.stdout.write(`${error.message}\n`);
    }
  }
  const kustomize = findProgram('kustomize');
  if (kustomize !== undefined && isRecent(kustomize, ['version'], /v(\d+)\./)) return [kustomize, 'build'];
  const kubectl = findProgram('kubectl');
  if (kubectl !== undefined && isRecent(kubectl, ['version', '--client'], /Kustomize Version: v(\d+)\./))
    return [kubectl, 'kustomize'];
  return undefined;
}

/**
 * Mistakes in the overlays by the types of Kubernetes' own schemas, and settings that .env.example does not have. Throws a
 * {@link StartError} where kustomize refuses an overlay.
 */
export function manifestProblems(kustomize: Kustomize, folder = 'kubernetes/overlays'): string[] {
  const overlays = new Map(readdirSync(folder).map((name) => [name, buildOverlay(kustomize, join(folder, name))]));
  return [...typeProblems(overlays), ...settingProblems('kubernetes')];
}

function buildOverlay([program, ...args]: Kustomize, folder: string): Manifest[] {
  const options = { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 } as const;
  const { status, stdout, stderr } = spawnSync(program, [...args, folder], options);
  if (status !== 0) throw new StartError(`${folder} cannot be built: ${stderr.trim()}`);
  return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
}

function isRecent(program: string, args: readonly string[], version: RegExp): boolean {
  const major = version.exec(spawnSync(program, args, { encoding: 'utf8' }).stdout)?.[1];
  return Number(major) >= OLDEST_MAJOR;
}

/** The package's module of a kind: `apps/v1` and `Deployment` are at `kubernetes-models/apps/v1/Deployment`. */
function moduleOf({ apiVersion, kind }: Manifest): string {
  const family = apiVersion.startsWith('keda.sh/') ? '@kubernetes-models/keda' : 'kubernetes-models';
  return `${family}/${apiVersion}/${kind}`;
}

/**
 * A value of a wrong type, and a field that no schema knows, which a cluster may silently drop, are found by the compiler: each
 * manifest is a literal of its type.
 */
function typeProblems(overlays: ReadonlyMap<string, readonly Manifest[]>): string[] {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'manifests-'));
  const files = [...overlays].map(([overlay, manifests]) => {
    const file = join(folder, `${overlay}.ts`);
    writeFileSync(file, manifests.map(asLiteral).join('\n'));
    return file;
  });
  const options =
    '--ignoreConfig --noEmit --strict --skipLibCheck --module esnext --moduleResolution bundler --target es2023';
  const compiler = ['node_modules/typescript/bin/tsc', ...options.split(' '), '--types', '', ...files];
  const { status, stdout } = spawnSync(process.execPath, compiler, { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  return status === 0 ? [] : stdout.trim().split('\n');
}

function asLiteral(manifest: Manifest): string {
  const name = `${manifest.kind}_${manifest.metadata.name.replaceAll('-', '_')}`;
  return `export const ${name}: import('${moduleOf(manifest)}').I${manifest.kind} = ${JSON.stringify(manifest, undefined, 2)};`;
}

/** The settings have one name everywhere. */
function settingProblems(folder: string): string[] {
  const known = readFileSync('.env.example', 'utf8');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.env'));
  return files.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/^(\w+)=/gm)]
      .filter(([, name]) => !new RegExp(`^#${name}=`, 'm').test(known))
      .map(([, name]) => `${join(folder, file)}: .env.example has no ${name}`),
  );
}
