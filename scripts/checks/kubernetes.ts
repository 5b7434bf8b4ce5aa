import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reason why the manifests cannot be checked, if any. Since kustomize 5 labels can be set without changing selectors. */
export function kustomizeMissing(): string | undefined {
  const { stdout = '' } = spawnSync('kubectl', ['version', '--client'], { encoding: 'utf8' });
  return /Kustomize Version: v(?:[5-9]|\d\d)/.test(stdout) ? undefined : 'kubectl with kustomize 5 is required';
}

/** Finds overlays that kustomize cannot build, and settings that .env.example does not have. */
export function manifestProblems(folder = 'kubernetes'): string[] {
  const overlays = readdirSync(join(folder, 'overlays')).flatMap((name) => {
    const overlay = join(folder, 'overlays', name);
    const { status, stderr } = spawnSync('kubectl', ['kustomize', overlay], { encoding: 'utf8' });
    return status === 0 ? [] : [`${overlay} cannot be built: ${stderr.trim()}`];
  });
  const known = readFileSync('.env.example', 'utf8');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.env'));
  const settings = files.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/^(\w+)=/gm)]
      .filter(([, name]) => !new RegExp(`^#${name}=`, 'm').test(known))
      .map(([, name]) => `${join(folder, file)}: .env.example has no ${name}`),
  );
  return [...overlays, ...settings];
}
