import type { IScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject';
import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import type { IStatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import type { IIngress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import type { IConfigMap } from 'kubernetes-models/v1/ConfigMap';
import type { IContainer } from 'kubernetes-models/v1/Container';
import type { IContainerPort } from 'kubernetes-models/v1/ContainerPort';
import type { INamespace } from 'kubernetes-models/v1/Namespace';
import type { IPersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec';
import type { IService } from 'kubernetes-models/v1/Service';

/** One object of a cluster, as kustomize writes it. */
export type Manifest =
  | IConfigMap
  | IDeployment
  | IHorizontalPodAutoscaler
  | IIngress
  | INamespace
  | INetworkPolicy
  | IPersistentVolumeClaim
  | IPodDisruptionBudget
  | IScaledObject
  | IService
  | IStatefulSet;

export type Labels = Readonly<Record<string, string>>;

/** A Deployment or a StatefulSet: what runs pods. */
export interface Workload {
  readonly name: string;
  readonly selector: Labels;
  readonly labels: Labels;
  readonly pod: IPodSpec;
  readonly containers: readonly IContainer[];
  readonly ports: readonly IContainerPort[];
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
