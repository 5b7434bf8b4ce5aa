import { until } from '../../form-service/test/until.ts';
import type { Check } from '../faults/verdict.ts';
import type { Scene } from './run.ts';
import { accept } from './visits.ts';

const ATTEMPTS = 3;

/** Pauses of 2, 4 and 8 s, less a fifth that is random: no fourth attempt sooner after the submission, in milliseconds. */
const SOONEST_MS = 11_000;

/** A mail server says "not now" to a sender it does not know yet; the one that comes again too soon it may never believe. */
export async function wipedRedis(scene: Scene): Promise<Check[]> {
  const { product, records, mail, ledger, say } = scene;
  mail.behave('451');
  const references = await accept(scene, 5);
  const rows = () => Promise.all(references.map((reference) => records.find(reference)));
  await until(`${ATTEMPTS} attempts`, async () =>
    (await rows()).every((row) => (row?.attempts ?? 0) >= ATTEMPTS && row?.lease_token === null),
  );
  const found = await rows();
  const dueAt = new Map(found.map((row) => [row?.id, row?.next_attempt_at ?? 0]));
  const rushed = found.filter((row) => !row || row.next_attempt_at - row.received_at < SOONEST_MS);
  await product.wipeRedis();
  mail.behave('well');
  say(`Redis is wiped while ${references.length} submissions wait`);
  await until('their delivery', () => references.every((reference) => ledger.delivered.has(reference)));
  const early = ledger.arrivals
    .filter(({ reference, at }) => at < (dueAt.get(reference) ?? 0))
    .map(({ reference }) => reference);
  const latest = Math.max(
    ...ledger.arrivals
      .filter(({ reference }) => dueAt.has(reference))
      .map(({ reference, at }) => at - (dueAt.get(reference) ?? 0)),
  );
  say(`delivered, at most ${(latest / 1_000).toFixed(1)} s after their pause`);
  return [
    { promise: 'pauses are on record', broken: rushed.map((row) => row?.id ?? 'none') },
    { promise: 'nothing is sent before its pause is over, although Redis forgot it', broken: early },
  ];
}
