import { nameOf, ofKind, workloadsOf, type Manifest, type Workload } from './manifest.ts';
import { networkProblems } from './network.ts';
import { fits } from './selector.ts';

/** Names, selectors and ports that lead nowhere. */
export function referenceProblems(manifests: readonly Manifest[]): string[] {
  const workloads = workloadsOf(manifests);
  return [
    ...workloads.flatMap((workload) =>
      workloadProblems(workload, manifests).map((problem) => `${workload.name}: ${problem}`),
    ),
    ...manifests.flatMap((manifest) =>
      problemsOf(manifest, workloads, manifests).map((problem) => `${manifest.kind} ${nameOf(manifest)}: ${problem}`),
    ),
  ];
}

function workloadProblems(
  { selector, labels, pod, containers, ports }: Workload,
  manifests: readonly Manifest[],
): string[] {
  const services = ofKind(manifests, 'Service').filter(({ spec }) =>
    fits({ matchLabels: spec?.selector ?? {} }, labels),
  );
  const served = new Set(services.flatMap(({ spec }) => spec?.ports?.map(({ targetPort }) => targetPort) ?? []));
  const probed = containers.flatMap(({ startupProbe, readinessProbe, livenessProbe }) =>
    [startupProbe, readinessProbe, livenessProbe].flatMap((probe) => probe?.httpGet?.port ?? []),
  );
  const maps = containers.flatMap(({ envFrom = [] }) => envFrom.map(({ configMapRef }) => configMapRef?.name));
  const claims = pod.volumes?.flatMap(({ persistentVolumeClaim: claim }) => (claim ? [claim.claimName] : [])) ?? [];
  const has = (kind: Manifest['kind'], name: string | undefined) =>
    ofKind(manifests, kind).some((one) => nameOf(one) === name);
  return [
    ...(fits({ matchLabels: selector }, labels) ? [] : ['does not select its own pods']),
    ...ports.filter(({ name = '' }) => !served.has(name)).map(({ name }) => `port ${name} has no Service`),
    ...probed.filter((port) => !ports.some(({ name }) => name === port)).map((port) => `a probe asks port ${port}`),
    ...maps.filter((name) => !has('ConfigMap', name)).map((name) => `there is no ConfigMap ${name}`),
    ...claims.filter((name) => !has('PersistentVolumeClaim', name)).map((name) => `there is no claim ${name}`),
  ];
}

function problemsOf(manifest: Manifest, workloads: readonly Workload[], manifests: readonly Manifest[]): string[] {
  const unlessWorkload = (problem: string, isIt: (workload: Workload) => boolean) =>
    workloads.some(isIt) ? [] : [problem];
  switch (manifest.kind) {
    case 'Service': {
      const selected = workloads.filter(({ labels }) => fits({ matchLabels: manifest.spec?.selector ?? {} }, labels));
      const lost =
        manifest.spec?.ports?.filter(
          ({ targetPort }) => !selected.some(({ ports }) => ports.some(({ name }) => name === targetPort)),
        ) ?? [];
      return [
        ...(selected.length === 1 ? [] : ['selects not one workload']),
        ...lost.map(({ targetPort }) => `leads to port ${targetPort}`),
      ];
    }
    case 'Ingress': {
      const backends =
        manifest.spec?.rules?.flatMap(({ http }) => http?.paths.map(({ backend }) => backend.service) ?? []) ?? [];
      const ports = new Set(
        ofKind(manifests, 'Service').flatMap(
          (service) => service.spec?.ports?.map(({ name }) => `${nameOf(service)}:${name}`) ?? [],
        ),
      );
      return backends
        .map((backend) => `${backend?.name}:${backend?.port?.name}`)
        .flatMap((port) => (ports.has(port) ? [] : [`leads to ${port}`]));
    }
    case 'PodDisruptionBudget':
      return unlessWorkload('selects nothing', ({ labels }) => fits(manifest.spec?.selector ?? {}, labels));
    case 'HorizontalPodAutoscaler':
    case 'ScaledObject':
      return unlessWorkload('scales nothing', ({ name }) => name === manifest.spec?.scaleTargetRef.name);
    case 'NetworkPolicy':
      return networkProblems(manifest, workloads);
    default:
      return [];
  }
}
