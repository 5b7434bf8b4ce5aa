/** One line of the results: what was measured, what it is compared with, and what was promised. */
export interface Result {
  readonly what: string;
  readonly measured: string;
  readonly baseline: string;
  readonly ratio: string;
  readonly goal: string;
  /** Empty where nothing was promised. */
  readonly met: 'yes' | 'no' | '';
}

/** A figure that must be at least some share of a baseline's. */
export function atLeast(what: string, unit: string, value: number, baseline: number, share: number): Result {
  return {
    what,
    measured: `${round(value)} ${unit}`,
    baseline: `${round(baseline)} ${unit}`,
    ratio: (value / baseline).toFixed(2),
    goal: `at least ${share}`,
    met: value / baseline >= share ? 'yes' : 'no',
  };
}

/** A figure of which nothing was promised. */
export function figure(what: string, unit: string, value: number): Result {
  return { what, measured: `${round(value)} ${unit}`, baseline: '', ratio: '', goal: '', met: '' };
}

/** A figure that must stay below a limit. */
export function below(what: string, unit: string, value: number, limit: number): Result {
  return { ...figure(what, unit, value), goal: `below ${limit} ${unit}`, met: value < limit ? 'yes' : 'no' };
}

/** Rows as a Markdown table, which reads in a terminal too. */
export function table(rows: readonly object[]): string {
  const cells = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row).map(String))];
  const lines = cells.map((row) => `| ${row.join(' | ')} |`);
  return lines.toSpliced(1, 0, `| ${(cells[0] ?? []).map(() => '---').join(' | ')} |`).join('\n');
}

const round = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));
