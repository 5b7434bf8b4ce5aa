import { join } from 'node:path';
import { Ledger } from '../faults/ledger.ts';
import { Product, sqliteIn } from '../faults/product.ts';
import { Records } from '../faults/records.ts';
import { runSession, type Session } from '../faults/session.ts';
import { SmtpSink } from '../faults/smtp-sink.ts';
import type { Check } from '../faults/verdict.ts';
import { frozenWorker } from './frozen-worker.ts';
import { heldSubmissions } from './held-submissions.ts';
import { wipedRedis } from './wiped-redis.ts';

/** The product with two workers and no nginx, and everything to break it with. */
export interface Scene {
  readonly product: Product;
  readonly records: Records;
  readonly mail: SmtpSink;
  readonly ledger: Ledger;
  readonly say: Session['say'];
}

/** `npm run test:scenarios`: troubles that faults at random times do not meet. `--short` holds 1,000 submissions instead of 5,000. */
const held = process.argv.includes('--short') ? 1_000 : 5_000;

await runSession('scenarios', ['form-service'], async ({ root, folder, say, atEnd }) => {
  const ledger = new Ledger();
  const mail = new SmtpSink(ledger);
  const smtpUrl = await mail.start();
  atEnd(() => mail.stop());
  const storage = sqliteIn(join(folder, 'data'));
  const product = await Product.start(
    { root, dataDir: join(folder, 'run'), storage, smtpUrl, workers: 2, withNginx: false },
    say,
  );
  atEnd(() => product.kill());
  const records = await Records.open(storage);
  atEnd(() => records.close());
  const scene: Scene = { product, records, mail, ledger, say };
  const checks: Check[] = [];
  for (const scenario of [wipedRedis, frozenWorker, heldSubmissions(held)]) checks.push(...(await scenario(scene)));
  await product.stop();
  return { checks };
});
