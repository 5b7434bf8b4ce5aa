import { join } from 'node:path';
import { offerPrometheus } from '../../scripts/checks/optional-programs.ts';
import { Ledger } from '../faults/ledger.ts';
import { Product, sqliteIn } from '../faults/product.ts';
import { runSession } from '../faults/session.ts';
import { SmtpSink } from '../faults/smtp-sink.ts';
import { Afternoon } from './afternoon.ts';
import { brokenPanels, brokenRules, missingRunbooks, unknownMetrics } from './expressions.ts';
import { Operator } from './operator.ts';
import { Prometheus } from './prometheus.ts';

/** One canary, at the start: a second one in the middle would be counted with the visitors' failures. */
const CANARY = {
  CANARY_INTERVAL_MINUTES: '1440',
  CANARY_INBOX: 'canary@kitewright.example',
  CANARY_SECRET: 'only-for-this-run-and-nothing-else',
};

/**
 * `npm run test:operator`: the mail server breaks, an alarm says so, the operator finds what failed and sends it again; with a real
 * Prometheus that looks on, where there is one.
 */
await runSession('operator', undefined, async ({ root, folder, say, atEnd }) => {
  const ledger = new Ledger();
  const mail = new SmtpSink(ledger);
  const smtpUrl = await mail.start();
  atEnd(() => mail.stop());
  const storage = sqliteIn(join(folder, 'data'));
  const product = await Product.start({ root, dataDir: join(folder, 'run'), storage, smtpUrl, settings: CANARY }, say);
  atEnd(() => product.kill());
  const prometheus = offerPrometheus()
    ? await Prometheus.start(root, join(folder, 'prometheus'), product.inside)
    : undefined;
  atEnd(() => prometheus?.stop());

  const checks = await new Afternoon(
    { product, mail, ledger, prometheus, operator: new Operator(root, storage) },
    say,
  ).run();
  checks.push({ promise: 'every alert sends its reader to a section that exists', broken: missingRunbooks(root) });
  if (prometheus) {
    checks.push(
      { promise: 'Prometheus can work out every rule', broken: await brokenRules(prometheus) },
      { promise: 'every panel of the dashboard has something to show', broken: await brokenPanels(root, prometheus) },
      {
        promise: 'every metric exists that rules, dashboard and documentation name',
        broken: await unknownMetrics(root, prometheus),
      },
    );
  }
  await product.stop();
  return { checks, skipped: prometheus ? 0 : 1 };
});
