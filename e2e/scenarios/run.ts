import { join } from 'node:path';
import { Product, sqliteIn } from '../faults/product.ts';
import { Records } from '../faults/records.ts';
import { runSession } from '../faults/session.ts';
import { frozenWorker } from './frozen-worker.ts';
import { heldSubmissions, wipedRedis } from './waiting.ts';

/** `npm run test:scenarios`: what needs an order, which faults at random times do not have. `--short` holds 300 submissions instead of 5,000. */
const held = process.argv.includes('--short') ? 300 : 5_000;

await runSession('scenarios', ['form-service'], async ({ root, folder, mail, observed, log, atEnd }) => {
  const storage = sqliteIn(join(folder, 'data'));
  const parts = { root, dataDir: join(folder, 'run'), storage, smtpUrl: mail.url, workers: 2, withNginx: false };
  const product = await Product.start(parts, log);
  atEnd(() => product.kill());
  const records = await Records.open(storage);
  atEnd(() => records.close());
  const load = { siteUrl: product.siteUrl, observed, seed: 1, resumeMaxBytes: 300_000 };
  const scenario = { product, records, mail, observed, load, log };
  const checks = [
    ...(await wipedRedis(scenario)),
    ...(await frozenWorker(scenario)),
    ...(await heldSubmissions(scenario, held)),
  ];
  await product.stop();
  return { checks };
});
