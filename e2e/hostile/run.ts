import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { until } from '../../form-service/test/until.ts';
import { Product, sqliteIn } from '../faults/product.ts';
import { Records } from '../faults/records.ts';
import { runSession, type Result, type Session } from '../faults/session.ts';
import { SmtpSink } from '../faults/smtp-sink.ts';
import type { Check } from '../faults/verdict.ts';
import { encodingCases } from './encoding-cases.ts';
import { fuzz } from './fuzzer.ts';
import { expectAnswer, GOOD_CONTACT, MARKER, postJson, type HostileCase, type Target } from './hostile-case.ts';
import { payloadCases } from './payload-cases.ts';
import { protocolCases } from './protocol-cases.ts';
import { slowCases } from './slow-cases.ts';
import { spamSignalCases } from './spam-signal-cases.ts';
import { uploadCases } from './upload-cases.ts';

/** The api may grow by its caches and buffers while it is attacked, not with every request; in bytes. */
const GROWTH_MAX_BYTES = 150 * 1024 * 1024;
const DRAIN_MS = 120_000;

const { values } = parseArgs({
  options: { short: { type: 'boolean' }, seed: { type: 'string' }, mutations: { type: 'string' } },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000_000);
const mutations = Number(values.mutations ?? (values.short ? 2_000 : 10_000));

await runSession('hostile', undefined, attack);

async function attack({ root, folder, atEnd }: Session): Promise<Result> {
  const arrived = new Set<string>();
  const mail = new SmtpSink({ arrived: ({ reference }) => arrived.add(reference), wasRefusedForGood: () => undefined });
  const smtpUrl = await mail.start();
  atEnd(() => mail.stop());
  const storage = sqliteIn(join(folder, 'data'));
  const restarts: string[] = [];
  const product = await Product.start({ root, dataDir: join(folder, 'run'), storage, smtpUrl }, (sentence) =>
    restarts.push(sentence),
  );
  atEnd(() => product.kill());
  const records = await Records.open(storage);
  atEnd(() => records.close());
  const target: Target = { siteUrl: product.siteUrl, port: Number(new URL(product.siteUrl).port) };
  let memoryBefore = 0;

  /** Looked at last: what all of the above may not have done. */
  const aftermath: readonly HostileCase[] = [
    {
      name: `${mutations} mutations of valid requests, seed ${seed}`,
      run: async () => {
        memoryBefore = await product.memoryOf('api');
        const { wrong, statuses } = await fuzz(target, seed, mutations);
        const counts = [...statuses]
          .toSorted(([a], [b]) => a - b)
          .map(([status, times]) => `${status || 'closed'}: ${times}`);
        process.stdout.write(`${mutations} mutations, seed ${seed}; answers ${counts.join(', ')}\n`);
        return first(wrong);
      },
    },
    {
      name: 'afterwards: the api has not grown',
      run: async () => {
        const growth = (await product.memoryOf('api')) - memoryBefore;
        process.stdout.write(
          `memory of the api before and after: ${megabytes(memoryBefore)}, ${megabytes(memoryBefore + growth)}\n`,
        );
        return growth > GROWTH_MAX_BYTES ? `by ${growth} bytes` : undefined;
      },
    },
    {
      name: 'afterwards: a good enquiry is accepted',
      run: async () => expectAnswer(await postJson(target, JSON.stringify(GOOD_CONTACT)), [202]),
    },
    {
      name: 'afterwards: all that was accepted is delivered or quarantined, and nothing else',
      run: async () => {
        await until('an empty backlog', async () => (await records.in('pending')).length === 0, DRAIN_MS);
        const listed = await records.states();
        return first(
          [...listed]
            .filter(
              ([reference, state]) =>
                !(state === 'delivered' ? arrived.has(reference) : state === 'quarantined' && !arrived.has(reference)),
            )
            .map(([reference, state]) => `${reference} ${state}`),
        );
      },
    },
    { name: 'afterwards: no file is left over', run: async () => first(await records.unnamedFiles()) },
    {
      name: 'afterwards: every résumé is there as it was accepted',
      run: async () => first(await records.withoutTheirFile()),
    },
    { name: 'afterwards: no process has ended', run: () => Promise.resolve(first(restarts)) },
    {
      name: 'afterwards: no log and no job holds what was sent',
      run: () => Promise.resolve(first(filesWithMarker(join(folder, 'run')))),
    },
  ];

  const checks: Check[] = [];
  for (const { name, run } of [
    ...uploadCases,
    ...protocolCases,
    ...encodingCases,
    ...payloadCases,
    ...spamSignalCases,
    ...slowCases,
    ...aftermath,
  ]) {
    const wrong = await run(target).catch((error: unknown) => `broke off: ${String(error)}`);
    checks.push({ promise: name, broken: wrong === undefined ? [] : [wrong] });
  }
  await product.stop();
  return { checks, isQuiet: true };
}

function first(wrong: readonly string[]): string | undefined {
  return wrong.length === 0 ? undefined : `${wrong.length}, for example ${wrong.slice(0, 3).join('; ')}`;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}

/** Logs, pid files and Redis's data; nginx's temporary bodies too. */
function filesWithMarker(data: string): string[] {
  return readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path, 'latin1').toLowerCase().includes(MARKER.toLowerCase()))
    .map((path) => path.slice(data.length + 1));
}
