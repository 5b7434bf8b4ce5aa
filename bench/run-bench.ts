import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { buildChanged } from '../scripts/stack/build.ts';
import { findProgram, installPackages, requirePrograms } from '../scripts/stack/programs.ts';
import { benchBuild } from './build-bench.ts';
import { benchContact } from './contact-bench.ts';
import { benchDelivery } from './delivery-bench.ts';
import { benchFootprint } from './footprint-bench.ts';
import { benchGrowth } from './growth-bench.ts';
import { benchHomePage } from './nginx-bench.ts';
import { table, type Result } from './result.ts';
import { benchUploads } from './upload-bench.ts';

const BENCHES = {
  contact: benchContact,
  delivery: benchDelivery,
  uploads: benchUploads,
  growth: benchGrowth,
  footprint: benchFootprint,
  site: benchHomePage,
  build: benchBuild,
};

/**
 * `npm run bench`: every comparison in one run on this machine; prints the table and writes `bench/results.md`.
 * `npm run bench -- uploads footprint`: only these; prints the table and writes nothing.
 */
const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  process.stderr.write(`There is no ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}.\n`);
  process.exit(2);
}
if (findProgram('wrk') === undefined) installPackages(['wrk']);
const programs = requirePrograms(true);
buildChanged(process.cwd());

const results: Result[] = [];
for (const [name, bench] of Object.entries(BENCHES)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  process.stdout.write(`${name} ...\n`);
  results.push(...(await bench(programs)));
}

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
const report = `# Results of \`npm run bench\`

${new Date().toISOString().slice(0, 10)}, commit ${commit}, Node.js ${process.versions.node}, ${cpus().length} cores, all processes and the load on one machine.
Where two are compared, medians of rounds taken in turns; a ratio compares figures of the same run.

${table(results)}
`;
if (chosen.length === 0) writeFileSync('bench/results.md', report);
process.stdout.write(`\n${report}`);
