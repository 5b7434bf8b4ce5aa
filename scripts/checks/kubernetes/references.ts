import type { ILabelSelector } from '@kubernetes-models/apimachinery/apis/meta/v1/LabelSelector';
import type { INetworkPolicy, INetworkPolicyPeer } from 'kubernetes-models/networking.k8s.io/v1';
import { nameOf, ofKind, workloadsOf, type Labels, type Manifest, type Workload } from './manifest.ts';

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

/** Pods that a policy names and nobody has, and ports that it opens where nothing listens. */
function networkProblems({ spec }: INetworkPolicy, workloads: readonly Workload[]): string[] {
  const { podSelector = {}, ingress = [], egress = [] } = spec ?? {};
  const podsOf = (selector: ILabelSelector) => workloads.filter(({ labels }) => fits(selector, labels));
  const named = [
    podSelector,
    ...ingress.flatMap(({ from = [] }) => from.flatMap(ownPods)),
    ...egress.flatMap(({ to = [] }) => to.flatMap(ownPods)),
  ];
  const opened = [
    ...ingress.flatMap(({ ports = [] }) => ports.map(({ port }) => ({ port, pods: podsOf(podSelector) }))),
    ...egress.flatMap(({ to = [], ports = [] }) =>
      to.flatMap(ownPods).flatMap((selector) => ports.map(({ port }) => ({ port, pods: podsOf(selector) }))),
    ),
  ];
  return [
    ...named.filter((selector) => podsOf(selector).length === 0).map(() => 'selects nothing'),
    ...opened
      .filter(({ port, pods }) => !pods.some(({ ports }) => ports.some(({ containerPort }) => containerPort === port)))
      .map(({ port }) => `opens port ${port}, where nothing listens`),
  ];
}

/** The selector of a peer within our own namespace. */
function ownPods({ podSelector, namespaceSelector }: INetworkPolicyPeer): ILabelSelector[] {
  return podSelector && !namespaceSelector ? [podSelector] : [];
}

/** Whether labels are what a selector asks for. Of its operators only `In` is in use. */
function fits({ matchLabels = {}, matchExpressions = [] }: ILabelSelector, labels: Labels): boolean {
  return (
    Object.entries(matchLabels).every(([name, value]) => labels[name] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => operator === 'In' && values.includes(labels[key] ?? ''))
  );
}
