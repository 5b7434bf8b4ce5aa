/** One line of the results: what was measured, what it is compared with, and what was promised. */
export interface Result {
  readonly name: string;
  readonly measured: string;
  readonly baseline: string;
  readonly ratio: string;
  readonly goal: string;
  /** Undefined where nothing was promised. */
  readonly isMet: boolean | undefined;
}

/** A figure that must be at least some share of a baseline's. */
export function atLeast(name: string, unit: string, value: number, baseline: number, share: number): Result {
  const ratio = value / baseline;
  return {
    name,
    measured: `${round(value)} ${unit}`,
    baseline: `${round(baseline)} ${unit}`,
    ratio: ratio.toFixed(2),
    goal: `at least ${share}`,
    isMet: ratio >= share,
  };
}

/** A figure that may be at most some multiple of a baseline's. */
export function atMost(name: string, unit: string, value: number, baseline: number, multiple: number): Result {
  const ratio = value / baseline;
  return { ...compared(name, unit, value, baseline), goal: `at most ${multiple}`, isMet: ratio <= multiple };
}

/** A figure beside another that explains it; nothing is promised. */
export function compared(name: string, unit: string, value: number, baseline: number): Result {
  return { ...atLeast(name, unit, value, baseline, 0), goal: '', isMet: undefined };
}

/** A figure that must stay below a limit; the baseline tells what the machine itself takes. */
export function below(name: string, unit: string, value: number, baseline: number | undefined, limit: number): Result {
  return {
    name,
    measured: `${round(value)} ${unit}`,
    baseline: baseline === undefined ? '' : `${round(baseline)} ${unit}`,
    ratio: baseline === undefined ? '' : (value / baseline).toFixed(2),
    goal: `below ${limit} ${unit}`,
    isMet: value < limit,
  };
}

/** The results as a Markdown table, which reads in a terminal too. */
export function table(results: readonly Result[]): string {
  const rows = results.map(({ name, measured, baseline, ratio, goal, isMet }) => [
    name,
    measured,
    baseline,
    ratio,
    goal,
    isMet === undefined ? '' : isMet ? 'yes' : 'no',
  ]);
  return columns([['what', 'measured', 'baseline', 'ratio', 'goal', 'met'], ...rows]);
}

/** Cells as a Markdown table; the first row is its head. */
export function columns(cells: readonly (readonly string[])[]): string {
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = cells.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`);
  lines.splice(1, 0, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
  return lines.join('\n');
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1);
}
