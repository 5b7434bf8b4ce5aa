import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PostgresServer } from '../../form-service/test/postgres-server.ts';
import { check, judge } from './checks.ts';
import { FaultInjector } from './fault-injector.ts';
import { steadyLoad } from './load.ts';
import { Product, sqliteIn } from './product.ts';
import { Records, waitForNone } from './records.ts';
import { planFaults } from './schedule.ts';
import { runSession, type SessionResult, type Session } from './session.ts';
import { SmallDisk } from './small-disk.ts';
import { meanResumeBytes, RESUME_SHARE } from './visitors.ts';
import { deliveriesIn } from './observations.ts';

/**
 * `npm run test:faults`: injects faults under a constant load. `--seed` repeats a run with the same visitors, files, faults
 * and times.
 */
const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    submissions: { type: 'string' },
    faults: { type: 'string' },
    database: { type: 'string', default: 'sqlite' },
    replicas: { type: 'string', default: '1' },
  },
});
const [submissions, faults] = (values.short ? [400, 22] : [10_000, 300]).map((usual, index) =>
  Number((index === 0 ? values.submissions : values.faults) ?? usual),
) as [number, number];
const [seed, replicas] = [Number(values.seed), Number(values.replicas)];
const resumeMaxBytes = values.short ? 1_000_000 : 3_000_000;

/** Submissions per second. */
const RATE = 20;
/** Disk space in addition to that for résumés. */
const DISK_SPARE_BYTES = 160_000_000;
/** Time without progress after which submissions are stuck, longer than any backoff after a fault. */
const STUCK_MS = 240_000;

const missing = values.database === 'postgres' ? PostgresServer.missing() : undefined;
if (missing) process.stdout.write(`SKIPPED: ${missing}\n\n0 passed, 0 failed, 1 skipped\n`);
else await runSession('faults', injectFaults);

async function injectFaults({ folder, mail, observed, log, atEnd }: Session): Promise<SessionResult> {
  const postgres = values.database === 'postgres' ? await PostgresServer.startIn(folder) : undefined;
  atEnd(() => postgres?.kill());
  const diskBytes = DISK_SPARE_BYTES + 1.5 * submissions * RESUME_SHARE * meanResumeBytes(resumeMaxBytes);
  const disk = postgres ? undefined : SmallDisk.mount(join(folder, 'disk'), Math.round(diskBytes));
  atEnd(() => disk?.unmount());
  const storage = { ...sqliteIn(join(folder, 'disk', 'data')), ...(postgres && { DATABASE_URL: postgres.url() }) };
  log(
    `${submissions} submissions, ${faults} faults, ${values.database}, seed ${seed} (--seed ${seed} repeats this run)`,
  );
  const isDiskMissing = !postgres && !disk;
  if (isDiskMissing) log('SKIPPED: full disk, because this user may not mount one');

  const product = await Product.start(folder, { ...storage, SMTP_URL: mail.url }, replicas);
  atEnd(() => product.kill());
  const workers = product.named('worker');
  const others = ['redis', ...(postgres ? ['postgres'] : [])];
  const processes = [...product.named('api'), ...workers, ...product.named('nginx'), ...others];
  const injector = new FaultInjector({ product, mail, observed, disk, postgres }, log);
  const planned = planFaults(seed, faults, (submissions / RATE) * 1000, {
    workers,
    processes,
    hasDisk: !!disk,
  });
  const options = { siteUrls: product.siteUrls, observed, seed, resumeMaxBytes };
  await Promise.all([steadyLoad(options, submissions, RATE), injector.run(planned)]);
  log('all faults are over');

  // Sends failed submissions again, like an operator.
  const records = await Records.open(storage);
  atEnd(() => records.close());
  const pending = await waitForNone(() => records.inWithoutWaits('pending'), STUCK_MS);
  const failed = await records.in('failed');
  if (failed.length > 0) await records.requeueFailed(failed);
  const stuck = [...pending, ...(await waitForNone(() => records.inWithoutWaits('pending', 'failed'), STUCK_MS))];
  const aftermath = {
    stuck: [...new Set(stuck)],
    failed,
    rows: await records.rows(),
    withoutTheirFile: await records.withoutTheirFile(),
    damage: await records.damage(),
    recordedAt: deliveriesIn(product.logFiles('worker')),
    crashes: injector.crashes,
  };
  log(
    `${observed.sent} requests of ${observed.entries.length} visitors, ${observed.accepted.size} accepted, ${observed.lost.length} lost, ${observed.arrivals.length - observed.delivered.size} duplicates, ${failed.length} failed and sent again`,
  );
  await product.stop();
  const checks = [check('all faults were injected', injector.happened === faults), ...judge(observed, aftermath)];
  return { checks, skipped: isDiskMissing ? 1 : 0 };
}
