import { join } from 'node:path';
import { offer } from '../../scripts/checks/optional-programs.ts';
import { check } from '../faults/checks.ts';
import { Product, sqliteIn } from '../faults/product.ts';
import { runSession } from '../faults/session.ts';
import { brokenPanels, brokenRules, missingRunbooks, unknownMetrics } from './expressions.ts';
import { mailOutage } from './outage.ts';
import { Prometheus } from './prometheus.ts';

/** `npm run test:operator`: an outage of the mail server as an operator lives it, with a real Prometheus that looks on, where there is one. */
await runSession('operator', undefined, async (session) => {
  const { root, folder, mail, log, atEnd } = session;
  const storage = sqliteIn(join(folder, 'data'));
  const parts = { root, dataDir: join(folder, 'run'), storage, smtpUrl: mail.url };
  const product = await Product.start(parts, log);
  atEnd(() => product.kill());
  const prometheus = offer('The monitoring')
    ? await Prometheus.start(root, join(folder, 'prometheus'), product.inside)
    : undefined;
  atEnd(() => prometheus?.stop());

  const checks = await mailOutage({ ...session, product, storage, prometheus });
  checks.push(check('every alert sends its reader to a section that exists', missingRunbooks(root)));
  if (prometheus) {
    checks.push(
      check('Prometheus can work out every rule', await brokenRules(prometheus)),
      check('every panel of the dashboard has something to show', await brokenPanels(root, prometheus)),
      check('every metric exists that rules, dashboard and documentation name', await unknownMetrics(root, prometheus)),
    );
  }
  await product.stop();
  return { checks, skipped: prometheus ? 0 : 1 };
});
