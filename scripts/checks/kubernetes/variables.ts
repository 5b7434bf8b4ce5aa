import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IContainer } from 'kubernetes-models/v1/Container';
import { readSettings, SettingsError } from '../../../form-service/src/config/settings.ts';
import { nameOf, ofKind, workloadsOf, type Manifest, type Workload } from './manifest.ts';

const CONFIG_FOLDER = 'form-service/src/config';
const FROM_FILE = '_FILE';

/** Variables that nothing reads, values that the service would refuse, secrets that stand in a manifest or are not mounted. */
export function variableProblems(manifests: readonly Manifest[]): string[] {
  const readers = {
    documented: readFileSync('.env.example', 'utf8'),
    service: sourcesOf(CONFIG_FOLDER),
    nginx: ['Dockerfile', 'render-config'].map((name) => readFileSync(`nginx/${name}`, 'utf8')).join('\n'),
  };
  const isNamed = (name: string, text: string) => new RegExp(String.raw`\b${name}\b`).test(text);
  return workloadsOf(manifests).flatMap((workload) =>
    workload.containers.flatMap((container) => {
      const variables = variablesOf(container, manifests);
      const isService = Boolean(container.image?.startsWith('kitewright/form-service:'));
      // AWS_ are read by the object store's own client.
      const isRead = (name: string) =>
        isService
          ? isNamed(name, readers.documented) && (name.startsWith('AWS_') || isNamed(name, readers.service))
          : isNamed(name, readers.nginx);
      const problems = [...variables].flatMap(([name, value]) => [
        ...(isRead(name.endsWith(FROM_FILE) ? name.slice(0, -FROM_FILE.length) : name) ? [] : [`nobody reads ${name}`]),
        ...(name.endsWith(FROM_FILE) && !isMounted(value, container, workload)
          ? [`${name} is no file of a Secret`]
          : []),
        ...(URL.canParse(value) && new URL(value).password !== '' ? [`${name} holds a password`] : []),
      ]);
      return [...problems, ...(isService ? refusals(variables) : [])].map(
        (problem) => `${workload.name}/${container.name}: ${problem}`,
      );
    }),
  );
}

/** Values by name, those of ConfigMaps included. */
function variablesOf({ env = [], envFrom = [] }: IContainer, manifests: readonly Manifest[]): Map<string, string> {
  const maps = ofKind(manifests, 'ConfigMap').filter((map) =>
    envFrom.some(({ configMapRef }) => configMapRef?.name === nameOf(map)),
  );
  return new Map([
    ...maps.flatMap(({ data }) => Object.entries(data ?? {})),
    ...env.map(({ name, value = '' }) => [name, value] as const),
  ]);
}

/** What the service itself would say to these values at its start. */
function refusals(variables: ReadonlyMap<string, string>): string[] {
  try {
    readSettings(Object.fromEntries([...variables].filter(([name]) => !name.endsWith(FROM_FILE))));
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return [error.message];
    throw error;
  }
}

function isMounted(path: string, { volumeMounts = [] }: IContainer, { pod }: Workload): boolean {
  return volumeMounts.some(({ name, mountPath }) => {
    const items = pod.volumes?.find((volume) => volume.name === name)?.secret?.items ?? [];
    return items.some((item) => join(mountPath, item.path) === path);
  });
}

function sourcesOf(folder: string): string {
  const files = readdirSync(folder).filter((name) => !name.endsWith('.test.ts'));
  return files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
}
