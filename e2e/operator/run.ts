import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closingLine } from '../../scripts/checks/count.ts';
import { offerPrometheus } from '../../scripts/checks/optional-programs.ts';
import { buildChanged } from '../../scripts/stack/build.ts';
import { Ledger } from '../faults/ledger.ts';
import { Operator } from '../faults/operator.ts';
import { Product } from '../faults/product.ts';
import { checkLine } from '../faults/report.ts';
import { SmtpSink } from '../faults/smtp-sink.ts';
import type { Check } from '../faults/verdict.ts';
import { Afternoon } from './afternoon.ts';
import { brokenPanels, brokenRules, missingRunbooks, unknownMetrics } from './expressions.ts';
import { Prometheus } from './prometheus.ts';

/**
 * `npm run test:operator`: the mail server breaks, an alarm says so, the operator finds what failed and sends it again; with a real
 * Prometheus that looks on, where there is one.
 */
const root = process.cwd();
buildChanged(root);
const folder = mkdtempSync(join(tmpdir(), 'kitewright-operator-'));
const startedAt = performance.now();
const say = (sentence: string) => void process.stdout.write(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(7)} s  ${sentence}\n`);

const ledger = new Ledger();
const mail = new SmtpSink(ledger);
const storageUrl = `file:${join(folder, 'submissions')}`;
/** One canary, at the start: a second one in the middle would be counted with the visitors' failures. */
const settings = { CANARY_INTERVAL_MINUTES: '1440', CANARY_INBOX: 'canary@kitewright.example', CANARY_SECRET: 'only-for-this-run-and-nothing-else' };
const product = await Product.start({ root, dataDir: join(folder, 'data'), storageUrl, smtpUrl: await mail.start(), settings }, say);
const prometheus = offerPrometheus() ? await Prometheus.start(root, join(folder, 'prometheus'), product.inside) : undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    product.kill();
    void prometheus?.stop().finally(() => process.exit(1));
  });
}

try {
  const checks: Check[] = await new Afternoon({ product, mail, ledger, prometheus, operator: new Operator(root, storageUrl) }, say).run();
  checks.push({ promise: 'every alert sends its reader to a section that exists', broken: missingRunbooks(root) });
  if (prometheus) {
    checks.push(
      { promise: 'Prometheus can work out every rule', broken: await brokenRules(prometheus) },
      { promise: 'every panel of the dashboard has something to show', broken: await brokenPanels(root, prometheus) },
      { promise: 'every metric exists that rules, dashboard and documentation name', broken: await unknownMetrics(root, prometheus) },
    );
  }
  await product.stop();
  const failed = checks.filter(({ broken }) => broken.length > 0).length;
  process.stdout.write(`\n${checks.map(checkLine).join('\n')}\n`);
  if (failed > 0) process.stdout.write(`\nLogs in ${folder}\n`);
  else rmSync(folder, { recursive: true });
  process.stdout.write(`\n${closingLine({ passed: checks.length - failed, failed, skipped: prometheus ? 0 : 1 })}\n`);
  process.exitCode = failed > 0 ? 1 : 0;
} finally {
  product.kill();
  await prometheus?.stop();
  await mail.stop();
}
