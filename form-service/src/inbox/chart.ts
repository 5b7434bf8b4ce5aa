import type { SubmissionState } from '../submissions/submission.ts';
import type { HourCount } from '../submissions/submissions.repository.ts';

const DAY_MS = 86_400_000;
export const CHART_MS = 30 * DAY_MS;

/** What a bar is made of, from the bottom to the top. */
const SERIES: readonly { states: readonly SubmissionState[]; words: string; shade: string }[] = [
  { states: ['delivered'], words: 'Delivered', shade: 'fill-kite-4' },
  { states: ['quarantined'], words: 'Held back', shade: 'fill-signal' },
  { states: ['pending', 'failed'], words: 'On its way or not delivered', shade: 'fill-muted' },
];

const HEIGHT = 60;
const STEP = 10;

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);

/** The slots of the chart of the last 30 days, as bars and as a table; nothing where nothing was received. */
export function chartOf(hours: readonly HourCount[], timeZone: string) {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  const counts = new Map<string, number[]>();
  for (let ago = CHART_MS - DAY_MS; ago >= 0; ago -= DAY_MS) counts.set(format.format(Date.now() - ago), [0, 0, 0]);
  for (const { hour, state, count } of hours) {
    const ofDay = counts.get(format.format(hour)) ?? [];
    const series = SERIES.findIndex(({ states }) => states.includes(state));
    ofDay[series] = (ofDay[series] ?? 0) + count;
  }
  const days = [...counts].map(([date, ofDay]) => ({ date, counts: ofDay }));
  const sums = days.map((day) => sumOf(day.counts));
  if (sumOf(sums) === 0) return undefined;
  const unit = (HEIGHT - 4) / Math.max(...sums);
  const bars = days.flatMap((day, index) => {
    let y = HEIGHT;
    return SERIES.map(({ shade }, series) => {
      const height = (day.counts[series] ?? 0) * unit;
      y -= height;
      return { shade, x: index * STEP + 1, y: y.toFixed(1), width: STEP - 2, height: height.toFixed(1) };
    });
  });
  return {
    count: days.length,
    width: days.length * STEP,
    height: HEIGHT,
    sum: sumOf(sums),
    bars: bars.filter(({ height }) => height !== '0.0'),
    series: SERIES,
    days: days.toReversed(),
  };
}
