/** Work that a step needs, and that another step of the run provides. */
export type Resource = 'packages' | 'service' | 'site';

/** A step as the schedule sees it. */
export interface Scheduled {
  readonly needs?: readonly Resource[];
  readonly provides?: Resource;
  /** Whether the step mostly waits, for example for a download, so that it does not take a lane. */
  readonly isIdle?: boolean;
  /** Whether the step needs the machine for itself. */
  readonly isAlone?: boolean;
}

/**
 * Runs steps in parallel, one per lane. A step starts in the order of the list, as soon as a lane is free and the steps
 * that provide what it needs have ended, also after they failed.
 */
export async function runSteps<Step extends Scheduled>(
  steps: readonly Step[],
  lanes: number,
  run: (step: Step) => Promise<void>,
): Promise<void> {
  const waiting = new Set(steps);
  const running = new Map<Step, Promise<void>>();
  const isLaneFree = () => [...running.keys()].filter(({ isIdle }) => !isIdle).length < lanes;
  const isProvided = (resource: Resource) =>
    ![...waiting, ...running.keys()].some(({ provides }) => provides === resource);

  function start(step: Step): void {
    waiting.delete(step);
    running.set(
      step,
      run(step).finally(() => running.delete(step)),
    );
  }

  for (;;) {
    for (const step of waiting) {
      if ([...running.keys()].some(({ isAlone }) => isAlone)) break;
      if (!(step.needs ?? []).every(isProvided)) continue;
      if (step.isAlone && running.size > 0) break;
      if (step.isIdle || isLaneFree()) start(step);
    }
    if (running.size === 0) break;
    await Promise.race(running.values());
  }
  if (waiting.size > 0) throw new Error('Steps need what only they provide.');
}
