import type { IContainer } from 'kubernetes-models/v1/Container';
import { workloadsOf, type Manifest, type Workload } from './manifest.ts';

/** What a stopping process may need for the requests or mails in hand, in seconds; compose gives it the same. */
const GRACE_SECONDS_MIN = 30;

/** Pods that could do more than they must, or that the cluster could not look after. */
export function hardeningProblems(manifests: readonly Manifest[]): string[] {
  return workloadsOf(manifests).flatMap((workload) => [
    ...podProblems(workload).map((problem) => `${workload.name}: ${problem}`),
    ...workload.containers.flatMap((container) =>
      [
        ...containerProblems(container),
        ...(workload.pod.containers.includes(container) ? probeProblems(container) : []),
      ].map((problem) => `${workload.name}/${container.name}: ${problem}`),
    ),
  ]);
}

function podProblems({ pod, containers }: Workload): string[] {
  const { securityContext: context } = pod;
  return broken([
    [context?.runAsNonRoot === true && (context.runAsUser ?? 0) > 0, 'may run as root'],
    [context?.seccompProfile?.type === 'RuntimeDefault', 'has no seccomp profile'],
    [pod.automountServiceAccountToken === false, "gets the cluster's token"],
    [
      !pod.hostNetwork && !pod.hostPID && !pod.hostIPC && !pod.volumes?.some(({ hostPath }) => hostPath),
      "shares its node's network, processes or files",
    ],
    [
      (pod.terminationGracePeriodSeconds ?? 30) >= GRACE_SECONDS_MIN + pauseBeforeStop(containers),
      'is killed before it has ended its work',
    ],
  ]);
}

function containerProblems({ securityContext: context, resources }: IContainer): string[] {
  return broken([
    [context?.allowPrivilegeEscalation === false && !context.privileged, 'may gain privileges'],
    [context?.readOnlyRootFilesystem === true, 'can write to its image'],
    [Boolean(context?.capabilities?.drop?.includes('ALL')) && !context?.capabilities?.add?.length, 'has capabilities'],
    [context?.runAsUser === undefined && context?.runAsNonRoot === undefined, 'has a user of its own'],
    [
      Boolean(resources?.requests?.['cpu'] && resources.requests['memory'] && resources.limits?.['memory']),
      'asks for no processor or memory, or has no limit',
    ],
  ]);
}

function probeProblems({ startupProbe, readinessProbe, livenessProbe }: IContainer): string[] {
  return broken([
    [Boolean(startupProbe && readinessProbe && livenessProbe), 'lacks a probe'],
    // What it depends on being away must not get it killed.
    [livenessProbe?.httpGet?.path !== '/health/ready', 'is killed when it is only not ready'],
  ]);
}

/** In seconds: `sleep N` before the signal. */
function pauseBeforeStop(containers: readonly IContainer[]): number {
  return Math.max(0, ...containers.map(({ lifecycle }) => Number(lifecycle?.preStop?.exec?.command?.[1] ?? 0)));
}

function broken(rules: readonly (readonly [holds: boolean, problem: string])[]): string[] {
  return rules.filter(([holds]) => !holds).map(([, problem]) => problem);
}
