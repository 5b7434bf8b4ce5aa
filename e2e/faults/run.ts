import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildChanged } from '../../scripts/stack/build.ts';
import { closingLine } from '../../scripts/checks/count.ts';
import { Breaker } from './breaker.ts';
import { judgeDuplicates } from './duplicates.ts';
import { Ledger } from './ledger.ts';
import { Load } from './load.ts';
import { Operator } from './operator.ts';
import { RATE, readOptions } from './options.ts';
import { Product } from './product.ts';
import { checkLine, figures } from './report.ts';
import { planFaults } from './schedule.ts';
import { settle } from './settle.ts';
import { SmallDisk } from './small-disk.ts';
import { SmtpSink } from './smtp-sink.ts';
import { leftoversWhenQuiet } from './store-folder.ts';
import { judge } from './verdict.ts';
import { meanResumeBytes, RESUME_SHARE } from './visitors.ts';
import { readDeliveryMarks } from './worker-log.ts';

/** Room for everything that is accepted, and to spare. */
const DISK_SPARE_BYTES = 160_000_000;
const PROGRESS_MS = 10_000;

const options = readOptions(process.argv.slice(2));
const root = process.cwd();
buildChanged(root);

const startedAt = performance.now();
const say = (sentence: string) => void process.stdout.write(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(7)} s  ${sentence}\n`);

const folder = mkdtempSync(join(tmpdir(), 'kitewright-faults-'));
const diskBytes = DISK_SPARE_BYTES + Math.round(1.5 * options.submissions * RESUME_SHARE * meanResumeBytes(options.resumeMaxBytes));
const disk = SmallDisk.mount(join(folder, 'disk'), diskBytes);
const storeFolder = join(folder, 'disk', 'submissions');
const storageUrl = `file:${storeFolder}`;
const ledger = new Ledger();
const mail = new SmtpSink(ledger);
const operator = new Operator(root, storageUrl);

say(`${options.submissions} submissions, ${options.faults} faults, seed ${options.seed} (--seed ${options.seed} repeats this run)`);
if (disk === undefined) say('SKIPPED: the full disk, since this user may not mount a small one');

const product = await Product.start({ root, dataDir: join(folder, 'data'), storageUrl, smtpUrl: await mail.start() }, say);
const clear = () => {
  product.kill();
  disk?.unmount();
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    clear();
    process.exit(1);
  });
}
const progress = setInterval(() => say(`${ledger.entries.length} visitors done, ${ledger.accepted.size} accepted, ${ledger.delivered.size} delivered`), PROGRESS_MS);

try {
  const planned = planFaults(options.seed, options.faults, (options.submissions / RATE) * 1000, disk !== undefined);
  const breaker = new Breaker({ product, mail, disk }, say);
  await Promise.all([new Load(product.siteUrl, options, ledger).run(), breaker.run(planned)]);
  const lastFaultAt = Math.max(0, ...breaker.happened.map(({ to }) => to));
  say('no more faults');

  const settled = await settle(operator, ledger, say);
  const listed = await operator.listAll();
  const aftermath = {
    ...settled,
    listed,
    leftovers: await leftoversWhenQuiet(storeFolder, listed),
    duplicates: judgeDuplicates(ledger.arrivals, readDeliveryMarks(product.logFile('worker')), breaker.happened),
    faultsPlanned: options.faults,
    faultsHappened: breaker.happened.length,
  };
  const checks = judge(ledger, aftermath);
  const failed = checks.filter(({ broken }) => broken.length > 0).length;
  process.stdout.write(`\n${figures(ledger, aftermath, settled.lastArrivalAt - lastFaultAt)}\n\n${checks.map(checkLine).join('\n')}\n`);
  await product.stop();
  clear();
  if (failed > 0 || options.keepLogs) process.stdout.write(`\nSeed ${options.seed}; logs in ${join(folder, 'data/log')}\n`);
  else rmSync(folder, { recursive: true });
  process.stdout.write(`\n${closingLine({ passed: checks.length - failed, failed, skipped: disk === undefined ? 1 : 0 })}\n`);
  process.exitCode = failed > 0 ? 1 : 0;
} finally {
  clearInterval(progress);
  clear();
  await mail.stop();
}
