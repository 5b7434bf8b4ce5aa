import { DAY_MS } from '../config/durations.ts';
import { dateText, startOfDay, timeText } from '../html/format.ts';
import type { DayCounts } from '../submissions/submission.ts';

const DAYS = 30;
/** Size of the picture in its own units: a day, and the highest bar. */
const [DAY_WIDTH, HEIGHT] = [20, 80];

/** Returns the beginnings of the last days and of tomorrow, in milliseconds since the epoch. */
export const dayStarts = (timeZone: string, now = Date.now()): number[] => {
  // Noon is on the same date as its start, also on the days on which the clocks change.
  const noon = startOfDay(dateText(now, timeZone), timeZone) + DAY_MS / 2;
  return Array.from({ length: DAYS + 1 }, (_, day) =>
    startOfDay(dateText(noon + (day - DAYS + 1) * DAY_MS, timeZone), timeZone),
  );
};

export function sumOf(days: readonly DayCounts[]) {
  const sum = (name: 'received' | 'delivered' | 'heldBack') => days.reduce((total, day) => total + day[name], 0);
  return { received: sum('received'), delivered: sum('delivered'), heldBack: sum('heldBack') };
}

/** The bars of the picture: for each day delivered, held back and the rest, one on top of the other. */
export function barsOf(days: readonly DayCounts[]) {
  const scale = HEIGHT / Math.max(1, ...days.map(({ received }) => received));
  return days.flatMap(({ received, delivered, heldBack }, index) => {
    const parts = [
      ['fill-kite-4', delivered],
      ['fill-edge', heldBack],
      ['fill-line', received - delivered - heldBack],
    ] as const;
    let y = HEIGHT;
    return parts.flatMap(([fill, count]) => {
      const height = count * scale;
      y -= height;
      return count > 0 ? [{ fill, x: index * DAY_WIDTH, y: y.toFixed(1), height: height.toFixed(1) }] : [];
    });
  });
}

/** The rows of the table: days on which something arrived, the latest first. */
export const daysOf = (days: readonly DayCounts[], timeZone: string) =>
  days
    .filter(({ received }) => received > 0)
    .map(({ from, ...counts }) => ({ ...counts, day: timeText(from, timeZone, 'day') }))
    .toReversed();
