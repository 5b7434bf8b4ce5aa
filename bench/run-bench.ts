import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { buildChanged } from '../scripts/stack/build.ts';
import { findProgram, installPackages, requirePrograms } from '../scripts/stack/programs.ts';
import { benchContact } from './contact-bench.ts';
import { benchHomePage } from './nginx-bench.ts';
import { table, type Result } from './result.ts';

/** `npm run bench`: every comparison in one run on this machine; prints the table and writes `bench/results.md`. */
if (findProgram('wrk') === undefined) installPackages(['wrk']);
const programs = requirePrograms(true);
buildChanged(process.cwd());

const results: Result[] = [];
for (const bench of [benchContact, benchHomePage]) {
  process.stdout.write(`${bench.name} ...\n`);
  results.push(...(await bench(programs)));
}

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
const report = `# Results of \`npm run bench\`

${new Date().toISOString().slice(0, 10)}, commit ${commit}, Node.js ${process.versions.node}, ${cpus().length} cores, all processes and the load on one machine.
Medians of three rounds taken in turns; a ratio compares figures of the same run.

${table(results)}
`;
writeFileSync('bench/results.md', report);
process.stdout.write(`\n${report}`);
