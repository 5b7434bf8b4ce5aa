import type { Ledger } from './ledger.ts';
import type { Aftermath, Check } from './verdict.ts';

/** More of what broke a promise than this tells no more. */
const SHOWN = 10;

/** The figures of a run, as a table. */
export function figures(ledger: Ledger, aftermath: Aftermath, longestAfterLastFaultMs: number): string {
  const { accepted, delivered, entries, arrivals } = ledger;
  const unpromised = entries.filter(({ outcome }) => outcome.kind !== 'accepted');
  const arrived = new Set(arrivals.map(({ visitor }) => visitor));
  const stillArrived = unpromised.filter(({ visitor }) => arrived.has(visitor.number)).length;
  const attachments = arrivals.reduce((sum, { sha256 }) => sum + sha256.length, 0);
  const lost = [...accepted].filter((reference) => !delivered.has(reference)).length;
  const rows: [string, string | number][] = [
    ['visitors', entries.length],
    ['requests', ledger.sent],
    ['accepted', accepted.size],
    ['delivered', delivered.size],
    ['lost', lost],
    ['duplicates', `${aftermath.duplicates.count}, of ${aftermath.duplicates.interrupted} possible`],
    ['failed, listed and sent again', aftermath.failed.length],
    ['refused with a clear status', ledger.refusals - ledger.unclear.length],
    ['refused without', ledger.unclear.length],
    ['requests without an answer', ledger.unanswered],
    [
      'gave up without a promise',
      `${unpromised.length}: ${stillArrived} delivered whole, ${unpromised.length - stillArrived} absent`,
    ],
    ['attachments', attachments],
    ['files for the hourly clean-up', aftermath.unnamedFiles.length],
    ['longest time to deliver after the last fault', `${(longestAfterLastFaultMs / 1000).toFixed(1)} s`],
  ];
  return rows.map(([name, value]) => `  ${name.padEnd(46)}${value}`).join('\n');
}

/** One line for a promise; what broke it by reference, never by what a visitor typed. */
export function checkLine({ promise, broken }: Check): string {
  if (broken.length === 0) return `  ok      ${promise}`;
  const more = broken.length > SHOWN ? ` and ${broken.length - SHOWN} more` : '';
  return `  FAILED  ${promise}: ${broken.slice(0, SHOWN).join(', ')}${more}`;
}
