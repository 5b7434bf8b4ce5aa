import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../form-service/test/until.ts';
import { check, type Check } from '../faults/checks.ts';
import { accept } from '../faults/load.ts';
import { waitForNone } from '../faults/records.ts';
import type { Scenario } from './scenario.ts';

const ATTEMPTS = 3;

/** Pauses of 2, 4 and 8 s, less a fifth that is random: no fourth attempt sooner after the submission, in milliseconds. */
const SOONEST_MS = 11_000;

const WATCH_MS = 8_000;
const COMMANDS_A_SECOND = 20;
const STUCK_MS = 60_000;

/** A mail server says "not now" to a sender it does not know yet; the one that comes again too soon it may never believe. */
export async function wipedRedis({ product, records, mail, observed, load, log }: Scenario): Promise<Check[]> {
  mail.behaviour = { refuse: 'data', code: 451 };
  const references = await accept(load, 5);
  const find = async () => (await records.rows()).filter(({ id }) => references.includes(id));
  await until(`${ATTEMPTS} attempts`, async () =>
    (await find()).every(({ attempts, leaseToken }) => attempts >= ATTEMPTS && leaseToken === null),
  );
  const found = await find();
  const dueAt = new Map(found.map(({ id, nextAttemptAt }) => [id, nextAttemptAt]));
  await product.wipeRedis();
  mail.behaviour = 'accept';
  log(`Redis is wiped while ${references.length} submissions wait`);
  await until('their delivery', () => references.every((reference) => observed.delivered.has(reference)));
  const rushed = found.filter(({ nextAttemptAt, receivedAt }) => nextAttemptAt - receivedAt < SOONEST_MS);
  const early = observed.arrivals.filter(({ reference, at }) => at < (dueAt.get(reference) ?? 0));
  return [
    check(
      'pauses are on record',
      rushed.map(({ id }) => id),
    ),
    check(
      'nothing is sent before its pause is over, although Redis forgot it',
      early.map(({ reference }) => reference),
    ),
  ];
}

/** While nothing can be delivered, nothing is tried: however many wait, Redis is left alone. */
export async function heldSubmissions(scenario: Scenario, count: number): Promise<Check[]> {
  const { product, records, mail, observed, load, log } = scenario;
  const commands = async () =>
    Number(/total_commands_processed:(\d+)/.exec((await product.askRedis('INFO stats')) ?? '')?.[1]);
  await mail.stop();
  const references = await accept(load, count);
  await until('no lease', async () => (await records.rows()).every(({ leaseToken }) => leaseToken === null));
  const [before, from] = [await commands(), performance.now()];
  await pause(WATCH_MS);
  const rate = ((await commands()) - before) / ((performance.now() - from) / 1_000);
  log(`${count} held, the mail server away: ${rate.toFixed(1)} Redis commands a second`);
  await mail.start();
  const missing = await waitForNone(() => observed.lost.filter((one) => references.includes(one)), STUCK_MS);
  log(`the mail server is back: ${count - missing.length} delivered`);
  return [
    check(
      `what is held costs at most ${COMMANDS_A_SECOND} Redis commands a second`,
      rate <= COMMANDS_A_SECOND || [rate],
    ),
    check('all of it is delivered when the mail server is back', missing),
  ];
}
