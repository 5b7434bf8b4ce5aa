import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { buildChanged } from '../scripts/stack/build.ts';
import { benchDelivery } from './delivery.ts';
import { benchIntake } from './intake.ts';
import { benchLists } from './lists.ts';
import { table, type Result } from './result.ts';

const BENCHES = { intake: benchIntake, delivery: benchDelivery, lists: benchLists };

/**
 * `npm run bench` runs every comparison, prints the table and writes `bench/results.md`.
 * `npm run bench -- intake delivery` runs only these and writes nothing.
 */
const chosen = process.argv.slice(2);
buildChanged(process.cwd());
const [load = 0] = loadavg();
const results: Result[] = [];
for (const [name, bench] of Object.entries(BENCHES)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  process.stdout.write(`${name} ...\n`);
  results.push(...(await bench()));
}

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
const report = `# Results of \`npm run bench\`

Version ${version}, ${new Date().toISOString().slice(0, 10)}, commit ${commit}, Node.js ${process.versions.node}, ${cpus().length} cores, all processes and the load generator on one
machine, load average ${load.toFixed(1)} at the start. Comparisons are medians of alternating rounds; a ratio compares figures of the same
run. The load generator takes part of the CPU, which moves ratios towards 1: a leaner client showed 0.42 of bare Express.

${table(results)}
`;
if (chosen.length === 0) writeFileSync('bench/results.md', report);
process.stdout.write(`\n${report}`);
