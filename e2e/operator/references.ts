import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const RULES = 'monitoring/rules';
const DASHBOARD = 'monitoring/grafana/dashboards/kitewright.json';
const DOCUMENT = 'docs/operations.md';

const rulesIn = (root: string) =>
  readdirSync(join(root, RULES)).map((name) => readFileSync(join(root, RULES, name), 'utf8'));

/** Metrics of ours that rules, dashboard or the list in the documentation name, and that no process at these addresses has. */
export async function unknownMetrics(root: string, addresses: readonly string[]): Promise<string[]> {
  const pages = await Promise.all(addresses.map(async (one) => (await fetch(`http://${one}/metrics`)).text()));
  const known = new Set(pages.join('\n').match(/(?<=^# TYPE )\w+/gm));
  const list = readFileSync(join(root, DOCUMENT), 'utf8').match(/^- `kitewright_.*/gm) ?? [];
  const texts = [...rulesIn(root), readFileSync(join(root, DASHBOARD), 'utf8'), ...list];
  const names = new Set(texts.flatMap((text) => text.match(/\bkitewright_[a-z_]+/g) ?? []));
  return [...names].filter((name) => !known.has(name) && !known.has(name.replace(/_(?:bucket|count|sum)$/, '')));
}

/** Sections that an alert sends its reader to and that the documentation does not have. */
export function missingRunbooks(root: string): string[] {
  const headings = new Set(readFileSync(join(root, DOCUMENT), 'utf8').match(/(?<=^#+ ).+$/gm));
  const named = rulesIn(root).flatMap((text) =>
    [...text.matchAll(/runbook: 'docs\/operations\.md, "(.+)"'/g)].map(([, section = '']) => section),
  );
  return [...new Set(named)].filter((section) => !headings.has(section) && !headings.has(`"${section}"`));
}
