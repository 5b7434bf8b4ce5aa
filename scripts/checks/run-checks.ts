import { StartError } from '../stack/start-error.ts';
import { addCounts, closingLine, countOne, type Count } from './count.ts';
import { ON_DEMAND, SIDE_BY_SIDE, steps, type Step } from './steps.ts';

/**
 * `npm test`, or the groups named as arguments: runs every step, also after a failed one, and ends with what failed and
 * the count.
 */
const groups = process.argv.slice(2);
const chosen = steps.filter(({ group }) => (groups.length === 0 ? !ON_DEMAND.has(group) : groups.includes(group)));

const results: { step: Step; count: Count; seconds: number }[] = [];
for (const step of chosen.filter(({ group }) => !SIDE_BY_SIDE.has(group))) await runStep(step);
const others = chosen.filter(({ group }) => SIDE_BY_SIDE.has(group)).values();
await Promise.all(
  [1, 2, 3].map(async () => {
    for (const step of others) await runStep(step);
  }),
);

process.stdout.write('\n');
for (const { step, count, seconds } of results) {
  process.stdout.write(
    `${count.failed > 0 ? 'FAILED' : 'ok    '} ${step.name}: ${closingLine(count)} (${seconds.toFixed(1)} s)\n`,
  );
  for (const failure of count.failures ?? []) process.stdout.write(`         ${failure}\n`);
}
const skips = results.flatMap(({ step, count }) => (count.skips ?? []).map((what) => `  ${step.name}: ${what}\n`));
if (skips.length > 0) process.stdout.write(`\nSkipped:\n${skips.join('')}`);
const total = addCounts(results.map(({ count }) => count));
process.stdout.write(`\n${closingLine(total)}\n`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;

async function runStep(step: Step): Promise<void> {
  process.stdout.write(`\n--- ${step.name}\n`);
  const startedAt = performance.now();
  const count = await attempt(step);
  results.push({ step, count, seconds: (performance.now() - startedAt) / 1000 });
}

async function attempt(step: Step): Promise<Count> {
  try {
    return await step.run();
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return countOne(false);
  }
}
