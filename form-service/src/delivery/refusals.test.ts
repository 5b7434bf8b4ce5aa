import { expect, it } from '@jest/globals';
import { contactSubmission } from '../../test/submissions.ts';
import { historyLine } from '../submissions/submission-sql.ts';
import { Refusals } from './refusals.ts';

const [MINUTE, HOUR] = [60_000, 3_600_000];
const NOW = Date.parse('2026-11-29T12:00:00Z');

/** A submission that became pending so long ago, and was refused at these times. */
const refused = (id: string, agoMs: number, ...refusedAgoMs: readonly number[]) => {
  const lines = refusedAgoMs.map((ms) => historyLine({ event: 'refused' }, new Date(NOW - ms)));
  return contactSubmission({}, { id, stateSince: NOW - agoMs, history: lines.join('') });
};

it('tries a refused mail again for a day, and alone it has failed then', () => {
  const refusals = new Refusals();
  const pauseAfter = (agoMs: number, ...before: number[]) =>
    refusals.pauseAfter('a', refused('1', agoMs, ...before), '550', NOW);
  expect(pauseAfter(0)).toBe(10 * MINUTE);
  expect(pauseAfter(30 * MINUTE, 20 * MINUTE)).toBe(30 * MINUTE);
  expect(pauseAfter(23 * HOUR, HOUR)).toBe(HOUR);
  expect(refusals.mailboxesThatRefuse).toEqual(['a (550)']);
  expect(pauseAfter(25 * HOUR, HOUR)).toBeUndefined();
  expect(refusals.mailboxesThatRefuse).toEqual([]);
});

it('tries all again that waited > the mailbox accepts one', () => {
  const refusals = new Refusals();
  for (const id of ['1', '2']) refusals.pauseAfter('a', refused(id, 0), '550 5.4.5', NOW);
  refusals.pauseAfter('b', refused('3', 0), '550', NOW);
  expect(refusals.accept('a', NOW)).toEqual(['1', '2']);
  expect(refusals.mailboxesThatRefuse).toEqual(['b (550)']);
  expect(refusals.accept('a', NOW)).toEqual([]);
});

it('finds the mail at fault > it is refused again although another was accepted meanwhile', () => {
  const refusals = new Refusals();
  refusals.accept('a', NOW - 5 * MINUTE);
  expect(refusals.pauseAfter('a', refused('1', HOUR, 10 * MINUTE), '554', NOW)).toBeUndefined();
  expect(refusals.pauseAfter('a', refused('2', HOUR, MINUTE), '554', NOW)).toBe(HOUR);
  expect(refusals.pauseAfter('b', refused('3', HOUR, 10 * MINUTE), '554', NOW)).toBe(HOUR);
});

it('gives a mail that first comes after an outage its day', () => {
  expect(new Refusals().pauseAfter('a', refused('1', 30 * HOUR), '550', NOW)).toBe(HOUR);
});
