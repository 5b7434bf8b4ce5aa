import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Prometheus } from './prometheus.ts';

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

/** Panels that are empty when all is well, or before there is enough to reckon with. */
const MAY_BE_EMPTY = new Set(['Alerts that fire', 'Refused or quarantined a minute']);

/** A range that holds some of this run's looks at the metrics. */
const RATE_INTERVAL = '20s';

/** What the dashboard asks for and does not get, by panel. */
export async function brokenPanels(root: string, prometheus: Prometheus): Promise<string[]> {
  const file = join(root, 'monitoring/grafana/dashboards/kitewright.json');
  const { panels } = JSON.parse(readFileSync(file, 'utf8')) as { panels: readonly Panel[] };
  const broken: string[] = [];
  for (const { title, targets = [] } of panels) {
    for (const { expr } of targets) {
      const expression = expr.replaceAll('$__rate_interval', RATE_INTERVAL);
      const found = await prometheus.query(expression).catch((error: Error) => error.message);
      if (typeof found === 'string') broken.push(`${title}: ${found}`);
      else if (found.length === 0 && !MAY_BE_EMPTY.has(title)) broken.push(`${title}: nothing for ${expr}`);
    }
  }
  return broken;
}

/** Rules that Prometheus cannot work out. */
export async function brokenRules(prometheus: Prometheus): Promise<string[]> {
  const rules = await prometheus.rules();
  if (rules.length === 0) return ['there are no rules'];
  return rules
    .filter(({ health, lastError }) => health !== 'ok' || lastError)
    .map(({ name, health, lastError }) => `${name}: ${lastError ?? health}`);
}

/** Metrics of ours that rules, dashboard or the list in the documentation name and that nobody has. */
export async function unknownMetrics(root: string, prometheus: Prometheus): Promise<string[]> {
  const known = await prometheus.metricNames();
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const rules = readdirSync(join(root, 'monitoring/rules')).map((name) => read(join('monitoring/rules', name)));
  const list = read('docs/operations.md')
    .split('\n')
    .filter((line) => line.startsWith('- `kitewright_'));
  const texts = [...rules, read('monitoring/grafana/dashboards/kitewright.json'), ...list];
  const names = new Set(texts.flatMap((text) => text.match(/\bkitewright_[a-z_]+/g) ?? []));
  return [...names].filter((name) => !known.has(name) && !known.has(`${name}_count`));
}

/** Sections that an alert sends its reader to and that the documentation does not have. */
export function missingRunbooks(root: string): string[] {
  const headings = new Set(readFileSync(join(root, 'docs/operations.md'), 'utf8').match(/(?<=^#+ ).+$/gm));
  const named = readdirSync(join(root, 'monitoring/rules')).flatMap((name) => {
    const text = readFileSync(join(root, 'monitoring/rules', name), 'utf8');
    return [...text.matchAll(/runbook: 'docs\/operations\.md, "(.+)"'/g)].map(([, section = '']) => section);
  });
  return [...new Set(named)].filter((section) => !headings.has(section) && !headings.has(`"${section}"`));
}
