import fc from 'fast-check';

/** Runs a test with random seeds, for example for `fc.sample`. A failure prints its seed as the counterexample. */
export async function eachSeed(runs: number, test: (seed: number) => Promise<void>): Promise<void> {
  await fc.assert(fc.asyncProperty(fc.noBias(fc.integer()), test), { numRuns: runs, endOnFailure: true });
}
