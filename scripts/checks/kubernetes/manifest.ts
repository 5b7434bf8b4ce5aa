import type { IScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import type { IDeployment, IStatefulSet } from 'kubernetes-models/apps/v1';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import type { IIngress, INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1';
import type * as core from 'kubernetes-models/v1';

/** One object of a cluster, as kustomize writes it. */
export type Manifest =
  | core.IConfigMap
  | IDeployment
  | IHorizontalPodAutoscaler
  | IIngress
  | core.INamespace
  | INetworkPolicy
  | core.IPersistentVolumeClaim
  | IPodDisruptionBudget
  | IScaledObject
  | core.IService
  | IStatefulSet;

export type Labels = Readonly<Record<string, string>>;

/** A Deployment or a StatefulSet: what runs pods. */
export interface Workload {
  readonly name: string;
  readonly selector: Labels;
  readonly labels: Labels;
  readonly pod: core.IPodSpec;
  readonly containers: readonly core.IContainer[];
  readonly ports: readonly core.IContainerPort[];
}

export function nameOf({ metadata }: Manifest): string {
  return metadata?.name ?? 'without a name';
}

export function ofKind<Kind extends Manifest['kind']>(
  manifests: readonly Manifest[],
  kind: Kind,
): Extract<Manifest, { kind: Kind }>[] {
  return manifests.filter((one): one is Extract<Manifest, { kind: Kind }> => one.kind === kind);
}

export function workloadsOf(manifests: readonly Manifest[]): Workload[] {
  return [...ofKind(manifests, 'Deployment'), ...ofKind(manifests, 'StatefulSet')].map((manifest) => {
    const pod = manifest.spec?.template.spec ?? { containers: [] };
    const containers = [...(pod.initContainers ?? []), ...pod.containers];
    return {
      name: nameOf(manifest),
      selector: manifest.spec?.selector.matchLabels ?? {},
      labels: manifest.spec?.template.metadata?.labels ?? {},
      pod,
      containers,
      ports: containers.flatMap(({ ports = [] }) => ports),
    };
  });
}
