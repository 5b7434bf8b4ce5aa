import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { StartError } from '../stack/start-error.ts';

/** One object of a cluster, as kustomize writes it. */
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** Within the repository, so that the compiler finds the types. */
const CACHE = 'node_modules/.cache/kitewright';

/** Why the manifests cannot be checked, or undefined. Since kustomize 5 labels can be set without changing selectors. */
export function kustomizeMissing(): string | undefined {
  const { stdout = '' } = spawnSync('kubectl', ['version', '--client'], { encoding: 'utf8' });
  return /Kustomize Version: v(?:[5-9]|\d\d)/.test(stdout) ? undefined : 'a kubectl with kustomize 5 is needed';
}

/**
 * Mistakes in the overlays by the types of Kubernetes' own schemas, and settings that .env.example does not have. Throws a
 * {@link StartError} where kustomize refuses an overlay.
 */
export function manifestProblems(folder = 'kubernetes/overlays'): string[] {
  const overlays = new Map(readdirSync(folder).map((name) => [name, buildOverlay(join(folder, name))]));
  return [...typeProblems(overlays), ...settingProblems('kubernetes')];
}

function buildOverlay(folder: string): Manifest[] {
  const options = { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 } as const;
  const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', folder], options);
  if (status !== 0) throw new StartError(`${folder} cannot be built: ${stderr.trim()}`);
  return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
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
