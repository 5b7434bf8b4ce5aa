import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { changedFiles, planFor, type Choice } from './changed.ts';
import { countOne } from './count.ts';
import { installMissing, missingFor } from './packages.ts';
import { runSteps } from './schedule.ts';
import { attempt, ON_DEMAND, steps, subjectsOf, unknownGroups, type Group, type Step } from './steps.ts';
import { exitCodeOf, leftOutOf, summaryOf, type Result } from './summary.ts';
import { removeAbandonedFolders } from './temporary-folder.ts';

/** Number of steps that run in parallel. */
const LANES = 3;

// The tests start hundreds of Node.js processes, which need not compile the same files again.
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/kitewright/compiled');

removeAbandonedFolders();

/**
 * `npm test [GROUP ...]`: runs every step, even after a failed one, and prints the failures and the summary.
 * `npm test -- --changed [--since COMMIT]` runs only what the changes since HEAD, or since the common ancestor with COMMIT,
 * can break within a minute or two, and names what it leaves out.
 */
const { values, positionals: groups } = parseArgs({
  allowPositionals: true,
  options: { changed: { type: 'boolean', default: false }, since: { type: 'string', default: 'HEAD' } },
});
const unknown = unknownGroups(groups);
if (unknown !== undefined) {
  process.stderr.write(`${unknown}\n`);
  process.exit(1);
}
const isChosen = (group: Group) => (groups.length === 0 ? !ON_DEMAND.has(group) : groups.includes(group));
const named = steps.filter(({ group }) => isChosen(group));
const changed = values.changed ? changedFiles(process.cwd(), values.since) : undefined;
const plan = changed && planFor(named, process.cwd(), changed);
const chosen: readonly Choice<Step>[] = plan?.choices ?? named.map((step) => ({ step }));
const missing = missingFor(subjectsOf(chosen.map(({ step }) => step)));
const isAnyMissing = missing.needsDownload || missing.required.length + missing.optional.length > 0;
const all = isAnyMissing ? [installation(), ...chosen.map(({ step }) => step)] : chosen.map(({ step }) => step);
const onlyOf = new Map(chosen.map(({ step, only }) => [step, only]));
const isBuffered = all.length > 1;
if (changed) process.stdout.write(`Changed since ${values.since}: ${changed.length} files.\n`);

const results: Result[] = [];
await runSteps(all, LANES, async (step) => {
  if (isBuffered) process.stdout.write(`... ${step.name}\n`);
  const startedAt = performance.now();
  const count = await attempt(step, { isBuffered, only: onlyOf.get(step) });
  const seconds = (performance.now() - startedAt) / 1_000;
  results.push({ name: step.name, count, seconds });
  if (isBuffered) process.stdout.write(`--- ${step.name} (${seconds.toFixed(1)} s)\n`);
});
process.stdout.write(summaryOf(results));
if (plan) process.stdout.write(leftOutOf(plan.leftOut));
process.exitCode = exitCodeOf(results, values.changed);

/** Installs the packages of all chosen steps at once. */
function installation(): Step {
  const run = async () => {
    await installMissing(missing);
    return countOne(true);
  };
  return { group: 'build', name: 'system packages', provides: 'packages', isIdle: true, run };
}
