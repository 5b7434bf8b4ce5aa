import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { identifyDocument, UnsuitableDocumentError } from '../../src/files/identify-document.ts';
import { mutatedFile } from './mutations.ts';

/* Searches for files that take much CPU time: `node form-service/test/corpus/fuzz.ts MINUTES`. Prints each new maximum. */

const end = Date.now() + Number(process.argv[2] ?? 1) * 60_000;
const path = join(mkdtempSync(join(tmpdir(), 'fuzz-')), 'file');
let maxMs = 0;
const counts: Record<string, number> = {};

async function cost(label: string, work: () => Promise<unknown>): Promise<void> {
  const before = process.cpuUsage();
  const result = await work().catch((error: unknown) => {
    const { cause } = error as Error;
    if (error instanceof UnsuitableDocumentError || (error as Error).name === 'DamagedFileError')
      return `rejected: ${cause instanceof Error ? cause.message : (error as Error).message}`;
    console.error('UNEXPECTED', label, error);
    return 'error';
  });
  const { user, system } = process.cpuUsage(before);
  counts[String(result)] = (counts[String(result)] ?? 0) + 1;
  const ms = (user + system) / 1000;
  if (ms <= maxMs) return;
  maxMs = ms;
  console.error(`${ms.toFixed(1)} ms`, label, String(result));
}

let runs = 0;
for (let seed = Date.now(); Date.now() < end; seed++) {
  for (const { file, edits, bytes } of fc.sample(mutatedFile, { numRuns: 20, seed })) {
    writeFileSync(path, bytes);
    const label = `${file}, ${bytes.length} bytes, ${edits.map(({ kind }) => kind).join(' ')}, seed ${seed}`;
    await cost(label, () => identifyDocument(path, file, bytes.length));
    runs++;
  }
}
rmSync(path);
console.error(runs, 'files', counts);
