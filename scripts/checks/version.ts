import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const versionOf = (folder: string) =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version: string }).version;

/** Finds places that do not have the version of package.json: changelog, workspaces, image tags and measurements. */
export function versionProblems(): string[] {
  const version = versionOf('.');
  const section = new RegExp(
    String.raw`^## \[${version.replaceAll('.', String.raw`\.`)}\] - \d{4}-\d{2}-\d{2}\n+\S`,
    'm',
  );
  const isThere = section.test(readFileSync('CHANGELOG.md', 'utf8'));
  const others = ['frontend', 'form-service', 'e2e'].filter((folder) => versionOf(folder) !== version);
  return [
    ...(isThere ? [] : [`CHANGELOG.md has no section for ${version}`]),
    ...otherTags(version),
    ...['results', 'lighthouse', 'trace']
      .map((name) => `bench/${name}.md`)
      .filter((file) => !readFileSync(file, 'utf8').includes(`\nVersion ${version}, `))
      .map((file) => `${file} was not measured with version ${version}`),
    ...others.map((folder) => `${folder} has version ${versionOf(folder)}`),
  ];
}

const OVERLAY = 'kubernetes/overlays/production/kustomization.yaml';

/** Image tags in the manifests that differ from the version. */
function otherTags(version: string): string[] {
  const tags = readFileSync(OVERLAY, 'utf8').match(/(?<=newTag: )[\d.]+/g) ?? [];
  return tags.filter((tag) => tag !== version).map((tag) => `${OVERLAY} has images of version ${tag}`);
}
