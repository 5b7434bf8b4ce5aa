import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../form-service/test/until.ts';
import { waitForNone } from '../faults/settle.ts';
import type { Check } from '../faults/verdict.ts';
import type { Scene } from './run.ts';
import { accept } from './visits.ts';

const WATCH_MS = 20_000;
const COMMANDS_A_SECOND = 20;
const STUCK_MS = 60_000;

/** While nothing can be delivered, nothing is tried: however many wait, Redis is left alone. */
export function heldSubmissions(count: number): (scene: Scene) => Promise<Check[]> {
  return async (scene) => {
    const { records, mail, ledger, say } = scene;
    await mail.stop();
    const references = await accept(scene, count);
    await until('no lease', async () => (await records.leased()).length === 0);
    const [before, from] = [await commands(scene), performance.now()];
    await pause(WATCH_MS);
    const rate = ((await commands(scene)) - before) / ((performance.now() - from) / 1_000);
    say(`${count} held, the mail server away: ${rate.toFixed(1)} Redis commands a second`);
    await mail.start();
    const missing = await waitForNone(() => {
      const { delivered } = ledger;
      return references.filter((reference) => !delivered.has(reference));
    }, STUCK_MS);
    say(`the mail server is back: ${count - missing.length} delivered`);
    return [
      {
        promise: `${count} held submissions cost at most ${COMMANDS_A_SECOND} Redis commands a second`,
        broken: rate <= COMMANDS_A_SECOND ? [] : [rate],
      },
      { promise: 'they are all delivered when the mail server is back', broken: missing },
    ];
  };
}

async function commands({ product }: Scene): Promise<number> {
  const stats = await product.askRedis('INFO stats');
  return Number(/total_commands_processed:(\d+)/.exec(stats ?? '')?.[1]);
}
