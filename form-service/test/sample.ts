/** Whether complete lists are tested, as `npm run test:all` does. */
const isComplete = process.env.TEST_MATRIX === 'complete';

/** Selects the complete list or number, or the sample for `npm test`. */
export const sampled = <T>(complete: T, sample: T): T => (isComplete ? complete : sample);

/** Returns the complete list, or the first element with each key for `npm test`. */
export function oneOfEach<T>(complete: readonly T[], keyOf: (one: T) => string): readonly T[] {
  const firsts = new Map(complete.toReversed().map((one) => [keyOf(one), one]));
  return sampled<readonly T[]>(complete, [...firsts.values()]);
}
