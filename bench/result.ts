/** Row of the results: a figure, its baseline and its goal. */
export interface Result {
  readonly what: string;
  readonly measured: string;
  readonly baseline: string;
  readonly ratio: string;
  readonly goal: string;
  /** Empty without a goal. */
  readonly met: 'yes' | 'no' | '';
}

/** Figure that must reach a share of a baseline. */
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

/** Figure without a goal. */
export function figure(what: string, unit: string, value: number): Result {
  return { what, measured: `${round(value)} ${unit}`, baseline: '', ratio: '', goal: '', met: '' };
}

/** Figure that must stay below a limit. */
export function below(what: string, unit: string, value: number, limit: number): Result {
  return { ...figure(what, unit, value), goal: `below ${limit} ${unit}`, met: value < limit ? 'yes' : 'no' };
}

/** Formats rows as a Markdown table. */
export function table(rows: readonly object[]): string {
  const cells = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row).map(String))];
  const lines = cells.map((row) => `| ${row.join(' | ')} |`);
  return lines.toSpliced(1, 0, `| ${(cells[0] ?? []).map(() => '---').join(' | ')} |`).join('\n');
}

const round = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));
