import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { PostgresServer } from '../../form-service/test/postgres-server.ts';
import { until } from '../../form-service/test/until.ts';
import { findProgram } from '../../scripts/stack/programs.ts';
import { brokenMails, check, unrecognisableCopies } from '../faults/checks.ts';
import { fullLoad } from '../faults/load.ts';
import { Product, sqliteIn } from '../faults/product.ts';
import { Records, waitForNone } from '../faults/records.ts';
import { randomSource } from '../faults/visitors.ts';
import { runSession, type Result, type Session } from '../faults/session.ts';
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
const hasPostgres = values.database === 'postgres';

const DISK_MB = 600;
const LOAD_MS = [300, 3_000] as const;
const RESUME_MAX_BYTES = 300_000;

/** A lease of a worker that died with the power runs out after 30 s. */
const LEASE_OVER_MS = 60_000;

const missing =
  PoweredDisk.missing() ??
  (hasPostgres ? PostgresServer.missing() : undefined) ??
  (values.eatmydata && findProgram('eatmydata') === undefined ? 'eatmydata is not installed' : undefined);
if (missing) process.stdout.write(`SKIPPED: ${missing}\n\n0 passed, 0 failed, 1 skipped\n`);
else await runSession('power-cut', cutAndLook);

async function cutAndLook({ folder, mail, observed, log, atEnd }: Session): Promise<Result> {
  const random = randomSource(seed, 'power cuts');
  const disk = PoweredDisk.create(folder, DISK_MB);
  atEnd(() => disk.destroy());
  const env: Record<string, string> = values.eatmydata ? { LD_PRELOAD: 'libeatmydata.so' } : {};
  const postgres = hasPostgres ? await PostgresServer.startIn(disk.path, { env }) : undefined;
  atEnd(() => postgres?.kill());
  const storage = { ...sqliteIn(disk.path), ...(postgres && { DATABASE_URL: postgres.url() }) };
  const settings = { ...storage, ...env, SMTP_URL: mail.url };
  /** With all that it keeps, pages and Redis' log included, on that disk. */
  const startProduct = async () => {
    const product = await Product.start(disk.path, settings);
    atEnd(() => product.kill());
    return product;
  };

  log(`${cuts} cuts, ${values.database}, seed ${seed}${values.eatmydata ? ', every fsync does nothing' : ''}`);
  for (let cut = 1; cut <= cuts; cut++) {
    const product = await startProduct();
    if (cut === 1) disk.sync();
    // Away, all that is promised is still to be delivered after the cut.
    const isMailAway = cut === cuts || random() < 0.5;
    if (isMailAway) await mail.stop();
    const options = { siteUrls: product.siteUrls, observed, seed, resumeMaxBytes: RESUME_MAX_BYTES };
    const load = fullLoad(options, 1_000_000 * cut);
    const acceptedBefore = observed.accepted.size;
    await until('the first promise', () => observed.accepted.size > acceptedBefore);
    await pause(LOAD_MS[0] + random() * (LOAD_MS[1] - LOAD_MS[0]));
    disk.cutPower();
    load.end();
    product.kill();
    await postgres?.kill();
    await load.ended;
    await disk.restorePower();
    // What a power cut leaves of PostgreSQL's notes about which process runs is not what a dead process leaves.
    if (postgres) rmSync(join(postgres.folder, 'postmaster.pid'), { force: true });
    // Every second time Redis' log is gone too; else it must be mended where the cut has left half a line.
    if (cut % 2 === 0) rmSync(join(disk.path, 'machine-1/redis'), { recursive: true, force: true });
    if (isMailAway) await mail.start();
    log(`cut ${cut}: ${observed.accepted.size} promised, ${observed.delivered.size} delivered so far`);
    if (!values.eatmydata) await postgres?.restart();
  }

  if (values.eatmydata) {
    // Without starting the product, which would refuse a database that is damaged.
    const kept = await remainsOf(storage, postgres).catch((error: Error) => {
      log(`the database cannot be opened: ${error.message}`);
      return new Set<string>();
    });
    const lost = [...observed.accepted].filter((reference) => !kept.has(reference));
    log(`${lost.length} of ${observed.accepted.size} lost`);
    return { checks: [check('without fsync something is lost, so this test can fail', lost.length > 0)] };
  }
  const product = await startProduct();
  const records = await Records.open(storage);
  atEnd(() => records.close());
  await waitForNone(() => records.in('pending'), LEASE_OVER_MS);
  const { accepted, lost, arrivals, delivered } = observed;
  log(`${accepted.size} promised, ${lost.length} lost, ${arrivals.length - delivered.size} copies`);
  const recorded = new Set(await records.in('delivered'));
  await product.stop();
  return {
    checks: [
      check('every promise is kept after the power comes back', lost),
      check('what arrived is whole, text and attachment', brokenMails(observed)),
      check(
        'every promise is on record as delivered',
        [...accepted].filter((reference) => !recorded.has(reference)),
      ),
      check('every résumé is there as it was accepted', await records.withoutTheirFile()),
      check('the database finds no damage in itself', await records.damage()),
      check('copies have the Message-ID of the first', unrecognisableCopies(arrivals)),
    ],
  };
}

/** References that the disk holds. */
async function remainsOf(storage: ReturnType<typeof sqliteIn>, postgres?: PostgresServer): Promise<Set<string>> {
  await postgres?.restart();
  const records = await Records.open(storage);
  try {
    return new Set((await records.rows()).map(({ id }) => id));
  } finally {
    await records.close();
  }
}
