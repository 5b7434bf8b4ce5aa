import { join } from 'node:path';
import { check } from '../faults/checks.ts';
import { Product, sqliteIn } from '../faults/product.ts';
import { runSession } from '../faults/session.ts';
import { mailOutage } from './outage.ts';
import { missingRunbooks, unknownMetrics } from './references.ts';

/** `npm run test:operator`: an outage of the mail server as an operator lives it. What the rules make of the metrics is promtool's to try. */
await runSession('operator', undefined, async (session) => {
  const { root, folder, mail, log, atEnd } = session;
  const storage = sqliteIn(join(folder, 'data'));
  const parts = { root, dataDir: join(folder, 'run'), storage, smtpUrl: mail.url };
  const product = await Product.start(parts, log);
  atEnd(() => product.kill());
  const checks = await mailOutage({ ...session, product, storage });
  checks.push(
    check('every alert sends its reader to a section that exists', missingRunbooks(root)),
    check(
      'every metric exists that rules, dashboard and documentation name',
      await unknownMetrics(root, Object.values(product.inside)),
    ),
  );
  await product.stop();
  return { checks };
});
