import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { until } from '../../form-service/test/until.ts';
import { RunFolder } from '../../scripts/stack/run-folder.ts';
import { StartError } from '../../scripts/stack/start-error.ts';
import { SupervisedProcess } from '../../scripts/stack/supervised-process.ts';
import { Ledger } from '../faults/ledger.ts';
import { Postgres, postgresPrograms } from '../faults/postgres.ts';
import { Product, sqliteIn } from '../faults/product.ts';
import { Random } from '../faults/random.ts';
import { Records } from '../faults/records.ts';
import { runSession, type Result, type Session } from '../faults/session.ts';
import { waitForNone } from '../faults/settle.ts';
import { SmtpSink } from '../faults/smtp-sink.ts';
import { brokenMails, unrecognisableCopies, type Check } from '../faults/verdict.ts';
import { Flood } from './flood.ts';
import { PoweredDisk } from './powered-disk.ts';

/**
 * `npm run test:power-cut`: cuts the power of the disk under load and starts api and worker together on what is left of it.
 * `--database postgres` puts PostgreSQL there. `--eatmydata` makes every fsync do nothing, and then something must be lost:
 * that shows that this test can fail.
 */
const { values } = parseArgs({
  options: {
    cuts: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    database: { type: 'string', default: 'sqlite' },
    eatmydata: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const cuts = values.eatmydata ? 1 : Number(values.cuts);

const DISK_MB = 600;
const SHORTEST_LOAD_MS = 300;
const LONGEST_LOAD_MS = 3_000;

/** A lease of a worker that died with the power runs out after 30 s. */
const LEASE_OVER_MS = 60_000;

const missing =
  PoweredDisk.missing() ??
  (values.database === 'postgres' && !postgresPrograms() ? 'PostgreSQL is not installed' : undefined);
if (missing) {
  process.stdout.write(`No power is cut: ${missing}\n\n0 passed, 0 failed, 1 skipped\n`);
} else {
  await runSession('power-cut', ['form-service'], cutAndLook);
}

async function cutAndLook(session: Session): Promise<Result> {
  const { folder, say, atEnd } = session;
  const random = new Random(seed, 'power cuts');
  const ledger = new Ledger();
  const mail = new SmtpSink(ledger);
  const smtpUrl = await mail.start();
  atEnd(() => mail.stop());
  const disk = PoweredDisk.create(folder, DISK_MB);
  atEnd(() => disk.destroy());
  const postgres = values.database === 'postgres' ? await Postgres.create(join(disk.path, 'postgres')) : undefined;
  const storage = { ...sqliteIn(disk.path), ...(postgres && { DATABASE_URL: postgres.url }) };
  const settings: Record<string, string> = values.eatmydata ? { LD_PRELOAD: 'libeatmydata.so' } : {};
  let starts = 0;
  /** With a Redis that is new and empty each time. */
  const startProduct = async () => {
    const parts = { root: session.root, dataDir: join(folder, `run-${++starts}`), storage, smtpUrl, settings };
    const product = await Product.start(
      { ...parts, withNginx: false, database: postgres?.spec(settings) },
      () => undefined,
    );
    atEnd(() => product.kill());
    return product;
  };

  say(`${cuts} cuts, ${values.database}, seed ${seed}${values.eatmydata ? ', every fsync does nothing' : ''}`);
  const flood = new Flood(ledger, seed);
  for (let cut = 1; cut <= cuts; cut++) {
    const product = await startProduct();
    if (cut === 1) disk.sync();
    // Away, all that is promised is still to be delivered after the cut.
    const isMailAway = cut === cuts || random.chance(0.5);
    if (isMailAway) await mail.stop();
    const load = flood.begin(product.siteUrl);
    const acceptedBefore = ledger.accepted.size;
    await until('the first promise', () => ledger.accepted.size > acceptedBefore);
    await pause(random.between(SHORTEST_LOAD_MS, LONGEST_LOAD_MS));
    disk.cutPower();
    load.end();
    await product.kill();
    await load.ended;
    await disk.restorePower();
    postgres?.removePidFile();
    if (isMailAway) await mail.start();
    say(
      `cut ${cut}: ${ledger.accepted.size} promised, ${ledger.delivered.size} delivered so far${isMailAway ? '; the mail server was away' : ''}`,
    );
  }

  if (values.eatmydata) return { checks: [await seesLosses(ledger, storage, postgres, session)] };
  const product = await startProduct();
  const lost = () => [...ledger.accepted].filter((reference) => !ledger.delivered.has(reference));
  const records = await Records.open(storage);
  await waitForNone(() => records.in('pending'), LEASE_OVER_MS);
  say(
    `${ledger.accepted.size} promised, ${ledger.delivered.size} delivered, ${lost().length} lost, ${ledger.arrivals.length - ledger.delivered.size} copies`,
  );
  const states = await records.states();
  const result = {
    checks: [
      { promise: 'every promise is kept after the power comes back', broken: lost() },
      { promise: 'what arrived is whole, text and attachment', broken: brokenMails(ledger) },
      {
        promise: 'every promise is on record as delivered',
        broken: [...ledger.accepted].filter((reference) => states.get(reference) !== 'delivered'),
      },
      { promise: 'every résumé is there as it was accepted', broken: await records.withoutTheirFile() },
      { promise: 'the database finds no damage in itself', broken: await records.damage() },
      { promise: 'copies have the Message-ID of the first', broken: unrecognisableCopies(ledger.arrivals) },
    ],
  };
  await records.close();
  await product.stop();
  return result;
}

/** Looks at what is left without starting the product, which would refuse a database that is damaged. */
async function seesLosses(
  ledger: Ledger,
  storage: ReturnType<typeof sqliteIn>,
  postgres: Postgres | undefined,
  session: Session,
): Promise<Check> {
  const runFolder = new RunFolder(join(session.folder, 'left'));
  await runFolder.claim();
  const server = postgres && new SupervisedProcess(postgres.spec(), runFolder, session.say);
  session.atEnd(() => server?.stop(5_000));
  const left = await lookAt(storage, server).catch((error: Error) => {
    if (!(error instanceof StartError) && error.name !== 'StorageUnavailableError') throw error;
    session.say(`the database cannot be opened: ${error.message}`);
    return { kept: new Set<string>(), damaged: 0 };
  });
  const lost = [...ledger.accepted].filter((reference) => !left.kept.has(reference));
  session.say(`${lost.length} of ${ledger.accepted.size} lost, ${left.damaged} résumés damaged`);
  return {
    promise: 'without fsync something is lost, so this test can fail',
    broken: lost.length > 0 ? [] : ['nothing was lost'],
  };
}

async function lookAt(storage: ReturnType<typeof sqliteIn>, server: SupervisedProcess | undefined) {
  await server?.start();
  const records = await Records.open(storage);
  try {
    return { kept: new Set((await records.states()).keys()), damaged: (await records.withoutTheirFile()).length };
  } finally {
    await records.close();
  }
}
