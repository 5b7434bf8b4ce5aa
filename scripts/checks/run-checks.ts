import { resolve } from 'node:path';
import { StartError } from '../stack/start-error.ts';
import { addCounts, summaryLine, countOne, type Count } from './count.ts';
import { ON_DEMAND, steps, type Environment, type Group, type Step } from './steps.ts';

/** Waiting steps run in parallel, one per lane. Each lane has its own ports (`scripts/stack/ports.ts`). */
const LANES = ['15000-20600', '20601-26300', '26301-32000'].map((range) => ({ PORT_RANGE: range }));

// The tests start hundreds of Node.js processes, which need not compile the same files again.
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/kitewright/compiled');

/** `npm test [GROUP ...]`: runs every step, even after a failed one, and prints the failures and the summary. */
const groups = process.argv.slice(2);
const isChosen = (group: Group) => (groups.length === 0 ? !ON_DEMAND.has(group) : groups.includes(group));
const chosen = steps.filter(({ group }) => isChosen(group));

const results: { step: Step; count: Count; seconds: number }[] = [];
const isWaiting = ({ isWaiting = false }: Step) => isWaiting;
const first = chosen.findIndex(isWaiting);
const [before, after] = first < 0 ? [chosen, []] : [chosen.slice(0, first), chosen.slice(first)];
for (const step of before) await runStep(step);
const queue = after.filter(isWaiting).values();
await Promise.all(
  LANES.map(async (env) => {
    for (const step of queue) await runStep(step, env);
  }),
);
for (const step of after) if (!isWaiting(step)) await runStep(step);

process.stdout.write('\n');
for (const { step, count, seconds } of results) {
  process.stdout.write(
    `${count.failed > 0 ? 'FAILED' : 'ok    '} ${step.name}: ${summaryLine(count)} (${seconds.toFixed(1)} s)\n`,
  );
  for (const failure of count.failures ?? []) process.stdout.write(`         ${failure}\n`);
}
const skips = results.flatMap(({ step, count }) => (count.skips ?? []).map((what) => `  ${step.name}: ${what}\n`));
if (skips.length > 0) process.stdout.write(`\nSkipped:\n${skips.join('')}`);
const total = addCounts(results.map(({ count }) => count));
process.stdout.write(`\n${summaryLine(total)}\n`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;

async function runStep(step: Step, env: Environment = {}): Promise<void> {
  process.stdout.write(`\n--- ${step.name}\n`);
  const startedAt = performance.now();
  const count = await attempt(step, env);
  results.push({ step, count, seconds: (performance.now() - startedAt) / 1000 });
}

async function attempt(step: Step, env: Environment): Promise<Count> {
  try {
    return await step.run(env);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return countOne(false);
  }
}
