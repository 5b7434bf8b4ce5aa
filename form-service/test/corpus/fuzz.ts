import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { identifyDocument, UnsuitableDocumentError } from '../../src/documents/identify-document.ts';
import { mutatedFile } from './mutations.ts';

/* Looks for files that cost much: `node form-service/test/corpus/fuzz.ts MINUTES`. Prints each dearer one. */

const end = Date.now() + Number(process.argv[2] ?? 1) * 60_000;
const path = join(mkdtempSync(join(tmpdir(), 'fuzz-')), 'file');
let dearest = 0;
const counts: Record<string, number> = {};

async function cost(told: string, work: () => Promise<unknown>): Promise<void> {
  const before = process.cpuUsage();
  const result = await work().catch((error: unknown) => {
    const { cause } = error as Error;
    if (error instanceof UnsuitableDocumentError || (error as Error).name === 'DamagedFileError')
      return `refused: ${cause instanceof Error ? cause.message : (error as Error).message}`;
    console.error('NOT EXPECTED', told, error);
    return 'error';
  });
  const { user, system } = process.cpuUsage(before);
  counts[String(result)] = (counts[String(result)] ?? 0) + 1;
  const ms = (user + system) / 1000;
  if (ms <= dearest) return;
  dearest = ms;
  console.error(`${ms.toFixed(1)} ms`, told, String(result));
}

let runs = 0;
for (let seed = Date.now(); Date.now() < end; seed++) {
  for (const { file, edits, bytes } of fc.sample(mutatedFile, { numRuns: 20, seed })) {
    writeFileSync(path, bytes);
    const told = `${file}, ${bytes.length} bytes, ${edits.map(({ kind }) => kind).join(' ')}, seed ${seed}`;
    await cost(told, () => identifyDocument(path, file, bytes.length));
    runs++;
  }
}
rmSync(path);
console.error(runs, 'files', counts);
