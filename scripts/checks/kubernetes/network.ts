import type { ILabelSelector } from '@kubernetes-models/apimachinery/apis/meta/v1/LabelSelector';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import type { INetworkPolicyPeer } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicyPeer';
import type { Workload } from './manifest.ts';
import { fits } from './selector.ts';

/** Pods that a policy names and nobody has, and ports that it opens where nothing listens. */
export function networkProblems({ spec }: INetworkPolicy, workloads: readonly Workload[]): string[] {
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
