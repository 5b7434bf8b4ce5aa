import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../../form-service/test/until.ts';
import { check, type Check } from '../faults/checks.ts';
import { accept } from '../faults/load.ts';
import type { Product } from '../faults/product.ts';
import type { Storage } from '../faults/records.ts';
import type { Session } from '../faults/session.ts';

interface Parts extends Session {
  readonly product: Product;
  readonly storage: Storage;
}

const BATCH = 12;

/** The promise is an alarm within five minutes. */
const ALARM_LIMIT_MS = 5 * 60_000;

/** The mail server breaks, an alarm says so, the operator finds what failed and sends it again. Each step waits for what it brings about. */
export async function mailOutage(parts: Parts): Promise<Check[]> {
  const { root, product, storage, mail, observed, log } = parts;
  const load = { siteUrl: product.siteUrl, observed, seed: 1, resumeMaxBytes: 200_000 };
  const worker = `http://${product.inside.worker}`;
  const metric = (name: string, ...labels: string[]) => sumOf(product.inside.worker, name, ...labels);
  const isAt = (references: readonly string[]) => references.every((one) => observed.delivered.has(one));
  /** The operator's commands, as a person uses them. */
  const command = async (...args: string[]) => {
    const env = { ...process.env, ...storage };
    return (await promisify(execFile)(process.execPath, [join(root, 'form-service/dist/cli.js'), ...args], { env }))
      .stdout;
  };
  const list = async (state: string) => {
    const rows = JSON.parse(await command('list', '--state', state, '--json')) as { reference: string }[];
    return rows.map(({ reference }) => reference);
  };

  const first = await accept(load, BATCH);
  await until('the first mails', () => isAt(first));
  log('all is well');

  mail.behaviour = { refuse: 'data', code: 550 };
  const refused = await accept(load, BATCH);
  const isTold = async () => (await metric('kitewright_alerts_total', 'submission-failed')) > 0;
  await until('the alarm in the metrics', isTold, ALARM_LIMIT_MS);
  log('the mail server answers 550, and the alarm says so');
  await until('every one to fail', async () => (await list('failed')).length >= refused.length);
  const checks = [check('the operator sees exactly those that failed', difference(await list('failed'), refused))];

  await mail.stop();
  const held = await accept(load, BATCH);
  const isMissed = async () => (await metric('kitewright_health_check_ok', 'mail server')) === 0;
  await until('the mail server missed', isMissed);
  const report = await fetch(`${worker}/health/ready`);
  const { checks: health } = (await report.json()) as { checks: Record<string, { cause?: string }> };
  const isReported = report.status === 503 && health['mail server']?.cause?.startsWith('away since') === true;
  checks.push(check('readiness says that the mail server is away', isReported));
  checks.push(check('what could not be tried is pending, and not failed', difference(await list('pending'), held)));

  mail.behaviour = 'accept';
  await mail.start();
  log('the mail server is mended; resend --all-failed');
  await command('resend', '--all-failed');
  await until('everything delivered', () => observed.lost.length === 0);
  await until('nothing pending', async () => (await list('pending')).length === 0);

  // All is quiet again: the visitors' account, the mail server's, the operator's list and the metrics must agree.
  const promised = [...observed.accepted];
  const mails = observed.arrivals.map(({ reference }) => reference);
  const accepted = await sumOf(product.inside.api, 'kitewright_submissions_total', 'outcome="accepted"');
  const settled = await metric('kitewright_submissions_settled_total', 'state="delivered"');
  const counts = [promised.length, mails.length, accepted, settled];
  const listed = (await list('delivered')).length;
  return [
    ...checks,
    check('promises, mails and metrics are equally many', counts.every((count) => count === 3 * BATCH) || counts),
    check('each mail came once', difference(mails, promised)),
    check('the list has them as delivered', listed === promised.length || [listed]),
    check('the list has nothing else', [...(await list('failed')), ...(await list('quarantined'))]),
  ];
}

/** Sum of a process's series of a name whose labels all stand in the line as given. */
async function sumOf(address: string, name: string, ...labels: string[]): Promise<number> {
  const lines = (await (await fetch(`http://${address}/metrics`)).text()).split('\n');
  return lines
    .filter((line) => /^\w+/.exec(line)?.[0] === name && labels.every((label) => line.includes(label)))
    .reduce((total, line) => total + Number(line.slice(line.lastIndexOf(' '))), 0);
}

/** What is in one list and not in the other, each copy counted. */
function difference(a: readonly string[], b: readonly string[]): string[] {
  const rest = [...b];
  const missing = a.filter((item) => {
    const index = rest.indexOf(item);
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
  return [...missing, ...rest];
}
