import { join } from 'node:path';
import { FaultInjector } from './fault-injector.ts';
import { judgeDuplicates } from './duplicates.ts';
import { Ledger } from './ledger.ts';
import { Load } from './load.ts';
import { RATE, readOptions, type Options } from './options.ts';
import { Postgres, postgresPrograms } from './postgres.ts';
import { Product, sqliteIn } from './product.ts';
import { Records } from './records.ts';
import { figures } from './report.ts';
import { planFaults } from './schedule.ts';
import { runSession, type Result, type Session } from './session.ts';
import { settle } from './settle.ts';
import { SmallDisk } from './small-disk.ts';
import { SmtpSink } from './smtp-sink.ts';
import { judge } from './verdict.ts';
import { meanResumeBytes, RESUME_SHARE } from './visitors.ts';
import { readDeliveryMarks } from './worker-log.ts';

/** Room for everything that is accepted, and to spare. */
const DISK_SPARE_BYTES = 160_000_000;
const PROGRESS_MS = 10_000;

/** `npm run test:faults`: visitors come at a steady rate while one thing after another breaks. */
const options = readOptions(process.argv.slice(2));

if (options.database === 'postgres' && !postgresPrograms()) {
  process.stdout.write(
    'Nothing is broken: PostgreSQL is not installed, or this user is not root\n\n0 passed, 0 failed, 1 skipped\n',
  );
} else {
  await runSession('faults', undefined, (session) => breakAndLook(session, options));
}

async function breakAndLook({ root, folder, say, atEnd }: Session, options: Options): Promise<Result> {
  const { seed, submissions, faults, database, replicas, keepLogs } = options;
  const ledger = new Ledger();
  const mail = new SmtpSink(ledger);
  const smtpUrl = await mail.start();
  atEnd(() => mail.stop());
  const postgres = database === 'postgres' ? await Postgres.create(join(folder, 'postgres')) : undefined;
  const disk = postgres ? undefined : SmallDisk.mount(join(folder, 'disk'), diskBytes(options));
  atEnd(() => disk?.unmount());
  const storage = { ...sqliteIn(join(folder, 'disk', 'data')), ...(postgres && { DATABASE_URL: postgres.url }) };
  say(`${submissions} submissions, ${faults} faults, ${database}, seed ${seed} (--seed ${seed} repeats this run)`);
  const isDiskMissing = !postgres && !disk;
  if (isDiskMissing) say('SKIPPED: the full and the read-only disk, since this user may not mount a small one');

  const parts = {
    root,
    dataDir: join(folder, 'run'),
    storage,
    smtpUrl,
    apis: replicas,
    workers: replicas,
    database: postgres?.spec(),
  };
  const product = await Product.start(parts, say);
  atEnd(() => product.kill());
  const progress = setInterval(
    () =>
      say(
        `${ledger.entries.length} visitors done, ${ledger.accepted.size} accepted, ${ledger.delivered.size} delivered`,
      ),
    PROGRESS_MS,
  );
  atEnd(() => clearInterval(progress));

  const { api, worker, others } = product.names;
  const targets = { workers: worker, processes: [...api, ...worker, ...others], disk: disk !== undefined };
  const injector = new FaultInjector({ product, mail, storage, disk }, say);
  const planned = planFaults(seed, faults, (submissions / RATE) * 1000, targets);
  await Promise.all([new Load(product.siteUrl, options, ledger).run(), injector.run(planned)]);
  const lastFaultAt = Math.max(0, ...injector.happened.map(({ to }) => to));
  say('no more faults');

  const records = await Records.open(storage);
  atEnd(() => records.close());
  const settled = await settle(records, ledger, say);
  const aftermath = {
    ...settled,
    listed: await records.states(),
    leased: await records.leased(),
    withoutTheirFile: await records.withoutTheirFile(),
    unnamedFiles: await records.unnamedFiles(),
    damage: await records.damage(),
    duplicates: judgeDuplicates(ledger.arrivals, readDeliveryMarks(product.workerLogs), injector.happened),
    faultsPlanned: faults,
    faultsHappened: injector.happened.length,
  };
  process.stdout.write(`\n${figures(ledger, aftermath, settled.lastArrivalAt - lastFaultAt)}\n`);
  await product.stop();
  return { checks: judge(ledger, aftermath), skipped: isDiskMissing ? 2 : 0, keepLogs };
}

function diskBytes({ submissions, resumeMaxBytes }: Options): number {
  return DISK_SPARE_BYTES + Math.round(1.5 * submissions * RESUME_SHARE * meanResumeBytes(resumeMaxBytes));
}
