import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const versionOf = (folder: string) =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version: string }).version;

/** A version that is not written down where a release looks for it, is not the same everywhere, or was not measured. */
export function versionProblems(): string[] {
  const version = versionOf('.');
  const section = new RegExp(
    String.raw`^## \[${version.replaceAll('.', String.raw`\.`)}\] - \d{4}-\d{2}-\d{2}\n+\S`,
    'm',
  );
  const isThere = section.test(readFileSync('CHANGELOG.md', 'utf8'));
  const others = ['frontend', 'form-service', 'e2e'].filter((folder) => versionOf(folder) !== version);
  return [
    ...(isThere ? [] : [`CHANGELOG.md has no section of ${version}`]),
    ...['single-node', 'production'].flatMap((overlay) => {
      const file = `kubernetes/overlays/${overlay}/kustomization.yaml`;
      const tags = readFileSync(file, 'utf8').match(/(?<=newTag: )[\d.]+/g) ?? [];
      return tags.filter((tag) => tag !== version).map((tag) => `${file} has images of version ${tag}`);
    }),
    ...['results', 'lighthouse', 'trace']
      .map((name) => `bench/${name}.md`)
      .filter((file) => !readFileSync(file, 'utf8').includes(`\nVersion ${version}, `))
      .map((file) => `${file} was not measured with version ${version}`),
    ...others.map((folder) => `${folder} is of version ${versionOf(folder)}`),
  ];
}
