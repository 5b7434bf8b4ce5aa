import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../form-service/test/until.ts';
import { check, unrecognisableCopies, type Check } from '../faults/checks.ts';
import { accept } from '../faults/load.ts';
import { readLog } from '../faults/worker-log.ts';
import type { Scenario } from './scenario.ts';

/** A lease runs out after 30 s. */
const TAKEN_OVER_MS = 60_000;

/** Longer than a write takes, and than the two seconds after which a worker looks again for what is due. */
const WRITE_MS = 5_000;

/** A machine that stands still for longer than its lease must not write about what another one has taken over. */
export async function frozenWorker(scenario: Scenario): Promise<Check[]> {
  const { product, records, mail, observed, load, log } = scenario;
  const wakeSecond = await freezeIdle(scenario, 'worker-2');
  const { release } = mail.hold();
  const [reference = ''] = await accept(load, 1);
  const copies = () => observed.arrivals.filter((arrival) => arrival.reference === reference);
  await until('the mail at the mail server', () => mail.held === 1);
  const wakeFirst = await freezeIdle(scenario, 'worker-1');
  release();
  wakeSecond();
  log('worker-1 stands still with a mail that is out and not on record');
  const isTakenOver = async () => (await records.find(reference))?.state === 'delivered';
  await until('worker-2 to take it over', isTakenOver, TAKEN_OVER_MS);
  const before = JSON.stringify(await records.find(reference));
  const wokeAt = Date.now();
  wakeFirst();
  const isAboutIt = (line: { at: number; reference?: string }) => line.at >= wokeAt && line.reference === reference;
  await until('worker-1 to end its attempt', () => readLog(product.logFile('worker-1')).some(isAboutIt));
  // It writes after it has said what it makes of the answer; a rewritten record stays rewritten.
  await pause(WRITE_MS);
  log(`worker-1 woke; ${copies().length} mails`);
  return [
    check(
      'a worker that wakes after its lease writes nothing',
      before === JSON.stringify(await records.find(reference)),
    ),
    check('the copy that it cost has the Message-ID of the first', unrecognisableCopies(copies())),
    check('and there is no third', copies().length <= 2),
  ];
}

/** Not in the middle of a write: who stands still with SQLite's lock holds up all others of the machine until he goes on. */
async function freezeIdle({ product, records }: Scenario, name: string): Promise<() => void> {
  for (;;) {
    const wake = await product.freeze(name);
    const isUnleased = await records.lock(0).then(
      () => true,
      () => false,
    );
    if (isUnleased) return wake;
    wake();
  }
}
