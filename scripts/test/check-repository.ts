import { readFileSync } from 'node:fs';
import { documentProblems } from './documents.ts';
import { licenceProblems } from './licences.ts';
import { sizeOf, sizeProblems, type Size } from './size.ts';

/** Prints what is wrong with licences, references of the documents, and the size of the form service. Exits with 1 then. */
const most = JSON.parse(readFileSync('scripts/test/size.json', 'utf8')) as Size;
const problems = [...licenceProblems('package-lock.json'), ...documentProblems(), ...sizeProblems(sizeOf(), most)];
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
