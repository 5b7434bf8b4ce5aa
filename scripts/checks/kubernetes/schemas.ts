import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { nameOf, type Manifest } from './manifest.ts';

const require = createRequire(import.meta.url);

/** Within the repository, so that the compiler finds the types. */
const CACHE = 'node_modules/.cache/kitewright';

/**
 * Mistakes by Kubernetes' own schemas. A field that no schema knows, a typing error that a cluster may silently drop, is found by
 * the compiler: each manifest as a literal of its type.
 *
 * @param overlays manifests by the name of their overlay
 */
export function schemaProblems(overlays: ReadonlyMap<string, readonly Manifest[]>): string[] {
  return [...overlays]
    .flatMap(([overlay, manifests]) =>
      manifests.flatMap((one) => valueProblems(one).map((problem) => `${overlay}: ${problem}`)),
    )
    .concat(fieldProblems(overlays));
}

/** The package's module of a kind: `apps/v1` and `Deployment` are at `kubernetes-models/apps/v1/Deployment`. */
function moduleOf({ apiVersion, kind }: Manifest): string {
  const family = apiVersion.startsWith('keda.sh/') ? '@kubernetes-models/keda' : 'kubernetes-models';
  return `${family}/${apiVersion}/${kind}`;
}

function valueProblems(manifest: Manifest): string[] {
  try {
    const models = require(moduleOf(manifest)) as Record<string, new (data: Manifest) => { validate(): void }>;
    const Model = models[manifest.kind];
    if (Model === undefined) return [`${manifest.kind} ${nameOf(manifest)}: no schema`];
    new Model(manifest).validate();
    return [];
  } catch (error) {
    return [`${manifest.kind} ${nameOf(manifest)}: ${(error as Error).message}`];
  }
}

function fieldProblems(overlays: ReadonlyMap<string, readonly Manifest[]>): string[] {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'manifests-'));
  const files = [...overlays].map(([overlay, manifests]) => {
    const file = join(folder, `${overlay}.ts`);
    writeFileSync(file, manifests.map(asLiteral).join('\n'));
    return file;
  });
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'esnext',
    '--moduleResolution',
    'bundler',
    '--target',
    'es2023',
    '--types',
    '',
  ];
  const { status, stdout } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', ...options, ...files], {
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  return status === 0 ? [] : stdout.trim().split('\n');
}

function asLiteral(manifest: Manifest): string {
  return `export const ${manifest.kind}_${nameOf(manifest).replaceAll('-', '_')}: import('${moduleOf(manifest)}').I${manifest.kind} = ${JSON.stringify(manifest, undefined, 2)};`;
}
