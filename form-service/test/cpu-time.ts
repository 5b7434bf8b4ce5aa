/**
 * Returns the CPU time of a synchronous function in milliseconds: the minimum of several runs, so that neither the
 * compiler nor a busy machine counts.
 */
export function cpuMilliseconds(run: () => void): number {
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}
