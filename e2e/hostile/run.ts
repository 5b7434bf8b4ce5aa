import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { check, type Check } from '../faults/checks.ts';
import { Product, sqliteIn } from '../faults/product.ts';
import { Records, waitForNone } from '../faults/records.ts';
import { runSession, type Result, type Session } from '../faults/session.ts';
import { fuzz } from './fuzzer.ts';
import { MARKER, refusalOfGoodEnquiry } from './hostile-case.ts';
import { payloadCases } from './payload-cases.ts';
import { protocolCases } from './protocol-cases.ts';

/** The api may grow by its caches and buffers while it is attacked, not with every request; in bytes. */
const GROWTH_MAX_BYTES = 150 * 1024 * 1024;
const DRAIN_MS = 120_000;

/** So many cases at once: most of the time of a case is the waiting for a server that says nothing more. */
const AT_ONCE = 6;

const { values } = parseArgs({
  options: { short: { type: 'boolean' }, seed: { type: 'string' }, mutations: { type: 'string' } },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000_000);
const mutations = Number(values.mutations ?? (values.short ? 1_000 : 10_000));

await runSession('hostile', undefined, attack);

async function attack({ root, folder, mail, observed, log, atEnd }: Session): Promise<Result> {
  const storage = sqliteIn(join(folder, 'data'));
  const restarts: string[] = [];
  const parts = { root, dataDir: join(folder, 'run'), storage, smtpUrl: mail.url };
  const product = await Product.start(parts, (sentence) => restarts.push(sentence));
  atEnd(() => product.kill());
  const records = await Records.open(storage);
  atEnd(() => records.close());
  const target = { siteUrl: product.siteUrl, port: Number(new URL(product.siteUrl).port) };

  const checks: Check[] = [];
  const cases = [...protocolCases, ...payloadCases].values();
  const work = async () => {
    for (const { name, run } of cases) {
      const wrong = await run(target).catch((error: unknown) => `broke off: ${String(error)}`);
      checks.push(check(name, wrong === undefined ? [] : [wrong]));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  log(`${checks.length} cases; now ${mutations} mutations of valid requests, seed ${seed}`);

  const memoryBefore = await product.memoryOf('api');
  const { wrong, statuses } = await fuzz(target, seed, mutations);
  const growth = (await product.memoryOf('api')) - memoryBefore;
  log(`answers ${JSON.stringify(statuses)}; the api grew by ${Math.round(growth / 1e6)} MB`);
  const good = await refusalOfGoodEnquiry(target);
  const stuck = await waitForNone(() => records.in('pending'), DRAIN_MS);
  const { delivered } = observed;
  const astray = (await records.rows()).filter(({ id, state }) =>
    state === 'delivered' ? !delivered.has(id) : state !== 'quarantined' || delivered.has(id),
  );
  checks.push(
    check('every mutation is answered below 500, or the connection is closed', wrong),
    check('afterwards the api has not grown', growth <= GROWTH_MAX_BYTES || [growth]),
    check('afterwards a good enquiry is accepted', good === undefined ? [] : [good]),
    check('afterwards nothing is stuck', stuck),
    check(
      'all that was accepted is delivered or quarantined, and nothing else',
      astray.map(({ id, state }) => `${id} ${state}`),
    ),
    check('no file is left over', await records.unnamedFiles()),
    check('every résumé is there as it was accepted', await records.withoutTheirFile()),
    check('no process has ended', restarts),
    check('no log and no job holds what was sent', filesWithMarker(join(folder, 'run'))),
  );
  await product.stop();
  return { checks, isQuiet: true };
}

/** Logs, pid files and Redis's data; nginx's temporary bodies too. */
function filesWithMarker(data: string): string[] {
  return readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path, 'latin1').toLowerCase().includes(MARKER.toLowerCase()));
}
