import { html, type Html } from '../html.ts';

/** What was received on one day, by what became of it. */
export interface Day {
  /** A calendar date such as 2026-01-31, in the operator's time zone. */
  readonly date: string;
  readonly delivered: number;
  readonly heldBack: number;
  /** Pending or failed. */
  readonly other: number;
}

const SERIES = [
  { name: 'delivered', words: 'Delivered', shade: 'fill-kite-4' },
  { name: 'heldBack', words: 'Held back', shade: 'fill-signal' },
  { name: 'other', words: 'On its way or not delivered', shade: 'fill-muted' },
] as const;

const HEIGHT = 60;
const STEP = 10;

/** The last 30 days as bars, with the same numbers as a table. */
export function chart(days: readonly Day[]): Html {
  const sum = ({ delivered, heldBack, other }: Day) => delivered + heldBack + other;
  const most = Math.max(1, ...days.map(sum));
  const all = days.reduce((total, day) => total + sum(day), 0);
  const bars = days.map((day, index) => {
    let top = HEIGHT;
    return SERIES.map(({ name, shade }) => {
      const height = (day[name] / most) * (HEIGHT - 4);
      top -= height;
      return (
        day[name] > 0 &&
        html`<rect class="${shade}" x="${index * STEP + 1}" y="${top.toFixed(1)}" width="${STEP - 2}" height="${height.toFixed(1)}"/>`
      );
    });
  });
  return html`<section class="grid gap-3" aria-labelledby="days">
<h2 id="days" class="text-xl">The last ${days.length} days</h2>
<svg class="h-24 w-full border-b border-line" viewBox="0 0 ${days.length * STEP} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${all} received; the table below has the numbers of each day.">${bars}</svg>
<ul class="flex flex-wrap gap-x-5 gap-y-1 text-sm">${SERIES.map(
    ({ words, shade }) =>
      html`<li class="flex items-center gap-2"><svg class="size-3" viewBox="0 0 1 1" aria-hidden="true"><rect class="${shade}" width="1" height="1"/></svg>${words}</li>`,
  )}</ul>
<details><summary class="py-1 text-sm underline">The numbers as a table</summary>
<div class="mt-3 overflow-x-auto" tabindex="0" role="region" aria-labelledby="days"><table class="w-full text-sm tabular-nums">
<thead><tr><th class="p-1 text-left" scope="col">Day</th>${SERIES.map(({ words }) => html`<th class="p-1 text-right" scope="col">${words}</th>`)}</tr></thead>
<tbody>${days
    .toReversed()
    .map(
      (day) =>
        html`<tr class="border-t border-line"><th class="p-1 text-left font-normal" scope="row">${day.date}</th>${SERIES.map(({ name }) => html`<td class="p-1 text-right">${day[name]}</td>`)}</tr>`,
    )}</tbody>
</table></div></details>
</section>`;
}
