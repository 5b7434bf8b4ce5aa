import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPlace } from '../../form-service/src/storage/s3/place.ts';
import { ObjectGateway } from '../../form-service/test/object-gateway.ts';
import { closingLine } from '../../scripts/checks/count.ts';
import { offerObjectGateway } from '../../scripts/checks/optional-programs.ts';
import { buildChanged } from '../../scripts/stack/build.ts';
import { judgeDuplicates } from '../faults/duplicates.ts';
import { Ledger } from '../faults/ledger.ts';
import { Load } from '../faults/load.ts';
import { Operator } from '../faults/operator.ts';
import { RATE, readOptions } from '../faults/options.ts';
import { checkLine, figures } from '../faults/report.ts';
import { settle } from '../faults/settle.ts';
import { SmtpSink } from '../faults/smtp-sink.ts';
import { judge } from '../faults/verdict.ts';
import { readDeliveryMarks } from '../faults/worker-log.ts';
import { leftoversWhenQuiet } from './bucket-leftovers.ts';
import { killReplicas, plannedKills } from './killer.ts';
import { REPLICAS, ReplicatedProduct } from './replicated-product.ts';

const PROGRESS_MS = 10_000;

const SHORT = { submissions: 400, resumeMaxBytes: 500_000 };
const LONG = { submissions: 6_000, resumeMaxBytes: 1_000_000 };

const options = readOptions(process.argv.slice(2), { short: { ...SHORT, faults: 0 }, long: { ...LONG, faults: 0 } });
if (!offerObjectGateway()) process.exit(1);
const root = process.cwd();
buildChanged(root);

const startedAt = performance.now();
const say = (sentence: string) => void process.stdout.write(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(7)} s  ${sentence}\n`);

const folder = mkdtempSync(join(tmpdir(), 'kitewright-replicas-'));
const gateway = await ObjectGateway.start();
const storage = gateway.settings('replicas') as Record<string, string>;
const storageUrl = storage.STORAGE_URL ?? '';
const { bucket, prefix } = readPlace(storageUrl);
const ledger = new Ledger();
const mail = new SmtpSink(ledger);
const operator = new Operator(root, storageUrl, { ...storage, INSTANCE: 'operator' });
const kills = plannedKills((options.submissions / RATE) * 1000);

say(`${options.submissions} submissions, ${REPLICAS} apis, ${REPLICAS} workers, one bucket, ${kills} kills, seed ${options.seed}`);

mkdirSync(join(folder, 'data'));
const product = await ReplicatedProduct.start({ root, dataDir: join(folder, 'data'), smtpUrl: await mail.start(), storage }, say);
const clear = async () => {
  product.kill();
  await Promise.all([mail.stop(), gateway.stop()]);
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void clear().finally(() => process.exit(1)));
const progress = setInterval(() => say(`${ledger.entries.length} visitors done, ${ledger.accepted.size} accepted, ${ledger.delivered.size} delivered`), PROGRESS_MS);

try {
  const [happened] = await Promise.all([killReplicas(product, options.seed, kills, say), new Load(product.siteUrl, options, ledger).run()]);
  const lastKillAt = Math.max(0, ...happened.map(({ to }) => to));
  say('no more kills');

  const settled = await settle(operator, ledger, say);
  const listed = await operator.listAll();
  const marks = readDeliveryMarks(...product.workerLogs);
  const client = gateway.client();
  const leftovers = await leftoversWhenQuiet(client, bucket, prefix, listed);
  client.destroy();
  const aftermath = {
    ...settled,
    listed,
    leftovers,
    duplicates: judgeDuplicates(ledger.arrivals, marks, happened),
    faultsPlanned: kills,
    faultsHappened: happened.length,
  };
  const checks = judge(ledger, aftermath);
  const failed = checks.filter(({ broken }) => broken.length > 0).length;
  process.stdout.write(`\n${figures(ledger, aftermath, settled.lastArrivalAt - lastKillAt)}\n\n${checks.map(checkLine).join('\n')}\n`);
  await product.stop();
  if (failed > 0 || options.keepLogs) process.stdout.write(`\nSeed ${options.seed}; logs in ${join(folder, 'data/log')}\n`);
  else rmSync(folder, { recursive: true });
  process.stdout.write(`\n${closingLine({ passed: checks.length - failed, failed, skipped: 0 })}\n`);
  process.exitCode = failed > 0 ? 1 : 0;
} finally {
  clearInterval(progress);
  await clear();
}
