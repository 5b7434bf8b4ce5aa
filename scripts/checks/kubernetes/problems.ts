import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { hardeningProblems } from './hardening.ts';
import { buildOverlay, type Kustomize } from './kustomize.ts';
import { ofKind, workloadsOf, type Manifest } from './manifest.ts';
import { referenceProblems } from './references.ts';
import { schemaProblems } from './schemas.ts';
import { variableProblems } from './variables.ts';

const OVERLAYS = 'kubernetes/overlays';
const SERVICE = 'form-service/src';

/** Builds every overlay. Throws a `StartError` where kustomize refuses one. */
export function buildOverlays(kustomize: Kustomize): Map<string, Manifest[]> {
  return new Map(readdirSync(OVERLAYS).map((name) => [name, buildOverlay(kustomize, `${OVERLAYS}/${name}`)]));
}

/** Every mistake in the built overlays, by the schemas and by our own rules. */
export function manifestProblems(overlays: ReadonlyMap<string, readonly Manifest[]>): string[] {
  return [
    ...schemaProblems(overlays),
    ...[...overlays].flatMap(([name, manifests]) => ruleProblems(manifests).map((problem) => `${name}: ${problem}`)),
  ];
}

/** Mistakes in one overlay by our own rules. */
export function ruleProblems(manifests: readonly Manifest[]): string[] {
  return [hardeningProblems, variableProblems, referenceProblems, imageProblems, metricProblems].flatMap((rule) =>
    rule(manifests),
  );
}

/** Our images have the version of this repository, others the one that compose runs. */
function imageProblems(manifests: readonly Manifest[]): string[] {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const { services } = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as {
    services: Record<string, { image: string }>;
  };
  const images = Object.values(services).map(({ image }) =>
    image.startsWith('kitewright/') ? `${image.split(':')[0]}:${version}` : image,
  );
  const used = workloadsOf(manifests).flatMap(({ containers }) => containers.map(({ image = '' }) => image));
  return used
    .filter((image) => !images.includes(image))
    .map((image) => `image ${image} is none of ${[...new Set(images)].join(', ')}`);
}

/** Figures that replicas follow are figures that the service has; its sources name them without the prefix. */
function metricProblems(manifests: readonly Manifest[]): string[] {
  const queries = ofKind(manifests, 'ScaledObject').flatMap(({ spec }) =>
    spec.triggers.map(({ metadata }) => metadata['query'] ?? ''),
  );
  const metrics = queries.flatMap((query) => query.match(/kitewright_\w+/g) ?? [`in ${query}`]);
  const files = readdirSync(SERVICE, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const sources = files.map((name) => readFileSync(`${SERVICE}/${name}`, 'utf8'));
  return metrics
    .filter((metric) => !sources.some((text) => text.includes(`'${metric.replace('kitewright_', '')}'`)))
    .map((metric) => `the service has no metric ${metric}`);
}
