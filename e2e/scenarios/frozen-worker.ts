import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../form-service/test/until.ts';
import { unrecognisableCopies, type Check } from '../faults/verdict.ts';
import { readLog } from '../faults/worker-log.ts';
import type { Scene } from './run.ts';
import { accept } from './visits.ts';

/** A lease runs out after 30 s. */
const TAKEN_OVER_MS = 60_000;

/** Longer than a write takes, and than the two seconds after which a worker looks again for what is due. */
const WRITE_MS = 5_000;

/** A machine that stands still for longer than its lease must not write about what another one has taken over. */
export async function frozenWorker(scene: Scene): Promise<Check[]> {
  const { product, records, mail, ledger, say } = scene;
  const wakeSecond = await freezeIdle(scene, 'worker-2');
  const release = mail.hold();
  const [reference = ''] = await accept(scene, 1);
  const copies = () => ledger.arrivals.filter((arrival) => arrival.reference === reference);
  await until('the mail at the mail server', () => copies().length === 1);
  const wakeFirst = await freezeIdle(scene, 'worker-1');
  release();
  wakeSecond();
  say('worker-1 stands still with a mail that is out and not on record');
  await until(
    'worker-2 to take it over',
    async () => (await records.find(reference))?.state === 'delivered',
    TAKEN_OVER_MS,
  );
  const before = JSON.stringify(await records.find(reference));
  const wokeAt = Date.now();
  wakeFirst();
  const isAboutIt = (line: { at: number; reference?: string }) => line.at >= wokeAt && line.reference === reference;
  await until('worker-1 to end its attempt', () => readLog(product.logFile('worker-1')).some(isAboutIt));
  // It writes after it has said what it makes of the answer; a rewritten record stays rewritten.
  await pause(WRITE_MS);
  const after = JSON.stringify(await records.find(reference));
  say(`worker-1 woke; ${copies().length} mails`);
  return [
    { promise: 'a worker that wakes after its lease writes nothing', broken: before === after ? [] : [reference] },
    { promise: 'the copy that it cost has the Message-ID of the first', broken: unrecognisableCopies(copies()) },
    { promise: 'and there is no third', broken: copies().length <= 2 ? [] : [copies().length] },
  ];
}

/** Not in the middle of a write: who stands still with SQLite's lock holds up all others of the machine until he goes on. */
async function freezeIdle({ product, records }: Scene, name: string): Promise<() => void> {
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
