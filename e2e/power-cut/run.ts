import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { PostgresServer } from '../../form-service/test/postgres-server.ts';
import { until } from '../../form-service/test/until.ts';
import { findProgram } from '../../scripts/stack/programs.ts';
import { brokenMails, check, duplicatesWithNewId } from '../faults/checks.ts';
import { fullLoad } from '../faults/load.ts';
import { Product, sqliteIn } from '../faults/product.ts';
import { Records, waitForNone } from '../faults/records.ts';
import { randomSource } from '../faults/visitors.ts';
import { runSession, type SessionResult, type Session } from '../faults/session.ts';
import { PoweredDisk } from './powered-disk.ts';

/**
 * `npm run test:power-cut`: cuts the power of the disk under load, and starts the product on the remaining data.
 * `--database postgres` uses PostgreSQL. `--eatmydata` disables fsync, so that submissions must be lost: this proves that
 * the test can fail.
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
const hasPostgres = values.database === 'postgres';

const DISK_MB = 600;
const LOAD_MS = [300, 3_000] as const;
const RESUME_MAX_BYTES = 300_000;

/** Time without progress after which submissions are lost, longer than the lease of a killed worker (30 s). */
const LEASE_OVER_MS = 60_000;

const missing =
  PoweredDisk.missing() ??
  (hasPostgres ? PostgresServer.missing() : undefined) ??
  (values.eatmydata && findProgram('eatmydata') === undefined ? 'eatmydata is not installed' : undefined);
if (missing) process.stdout.write(`SKIPPED: ${missing}\n\n0 passed, 0 failed, 1 skipped\n`);
else await runSession('power-cut', cutPower);

async function cutPower({ folder, mail, observed, log, atEnd }: Session): Promise<SessionResult> {
  const random = randomSource(seed, 'power cuts');
  const disk = PoweredDisk.create(folder, DISK_MB);
  atEnd(() => disk.destroy());
  const env: Record<string, string> = values.eatmydata ? { LD_PRELOAD: 'libeatmydata.so' } : {};
  const postgres = hasPostgres ? await PostgresServer.startIn(disk.path, { env }) : undefined;
  atEnd(() => postgres?.kill());
  const storage = { ...sqliteIn(disk.path), ...(postgres && { DATABASE_URL: postgres.url() }) };
  const settings = { ...storage, ...env, SMTP_URL: mail.url };
  /** Starts the product with all its data on the disk, including pages. */
  const startProduct = async () => {
    const product = await Product.start(disk.path, settings);
    atEnd(() => product.kill());
    return product;
  };

  log(`${cuts} cuts, ${values.database}, seed ${seed}${values.eatmydata ? ', fsync disabled' : ''}`);
  for (let cut = 1; cut <= cuts; cut++) {
    const product = await startProduct();
    if (cut === 1) disk.sync();
    // While the mail server is unavailable, all accepted submissions are still pending after the cut.
    const isMailDown = cut === cuts || random() < 0.5;
    if (isMailDown) await mail.stop();
    const options = { siteUrls: product.siteUrls, observed, seed, resumeMaxBytes: RESUME_MAX_BYTES };
    const load = fullLoad(options, 1_000_000 * cut);
    const acceptedBefore = observed.accepted.size;
    await until('the first accepted submission', () => observed.accepted.size > acceptedBefore);
    await pause(LOAD_MS[0] + random() * (LOAD_MS[1] - LOAD_MS[0]));
    disk.cutPower();
    load.end();
    product.kill();
    await postgres?.kill();
    await load.ended;
    await disk.restorePower();
    // Removes the pid file of PostgreSQL, which after a real power cut would have another pid.
    if (postgres) rmSync(join(postgres.folder, 'postmaster.pid'), { force: true });
    if (isMailDown) await mail.start();
    log(`cut ${cut}: ${observed.accepted.size} accepted, ${observed.delivered.size} delivered`);
    if (!values.eatmydata) await postgres?.restart();
  }

  if (values.eatmydata) {
    // Does not start the product, which would refuse a damaged database.
    const kept = await storedReferences(storage, postgres).catch((error: Error) => {
      log(`the database cannot be opened: ${error.message}`);
      return new Set<string>();
    });
    const lost = [...observed.accepted].filter((reference) => !kept.has(reference));
    log(`${lost.length} of ${observed.accepted.size} lost`);
    return { checks: [check('submissions are lost without fsync, so this test can fail', lost.length > 0)] };
  }
  const product = await startProduct();
  const records = await Records.open(storage);
  atEnd(() => records.close());
  await waitForNone(() => records.inWithoutWaits('pending'), LEASE_OVER_MS);
  const { accepted, lost, arrivals, delivered } = observed;
  log(`${accepted.size} accepted, ${lost.length} lost, ${arrivals.length - delivered.size} duplicates`);
  const rows = new Map((await records.rows()).map((row) => [row.id, row]));
  const undelivered = [...accepted].filter((reference) => rows.get(reference)?.state !== 'delivered');
  await product.stop();
  return {
    checks: [
      check('every accepted submission arrives after the power cuts', lost),
      check('every mail is complete, text and attachment', brokenMails(observed)),
      check('every accepted submission is recorded as delivered', undelivered),
      check('every résumé is stored unchanged', await records.withoutTheirFile()),
      check('the database passes its integrity check', await records.damage()),
      check('duplicates have the Message-ID of the first mail', duplicatesWithNewId(arrivals)),
    ],
  };
}

/** Returns the references in the database. */
async function storedReferences(storage: ReturnType<typeof sqliteIn>, postgres?: PostgresServer): Promise<Set<string>> {
  await postgres?.restart();
  const records = await Records.open(storage);
  try {
    return new Set((await records.rows()).map(({ id }) => id));
  } finally {
    await records.close();
  }
}
