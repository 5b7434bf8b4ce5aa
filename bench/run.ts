import { buildChanged } from '../scripts/stack/build.ts';
import { installForTests } from '../scripts/test/packages.ts';
import { readArguments } from '../scripts/usage.ts';

const USAGE = `Compares the form service with bare Express and bare nodemailer, and prints the ratios. Takes about two minutes.
--pages audits the pages of the site with Lighthouse instead: all, or those that are named, such as / /contact.`;

const { values, positionals } = readArguments(USAGE, {
  options: { pages: { type: 'boolean' } },
  allowPositionals: true,
});
await installForTests();
await buildChanged(process.cwd());
const rows = values.pages
  ? await (await import('./lighthouse.ts')).measurePages(positionals)
  : await (await import('./service.ts')).measureService();
process.stdout.write(`Node.js ${process.versions.node}\n\n${tableOf(rows)}\n`);

/** Formats rows as a Markdown table. */
function tableOf(lines: readonly Readonly<Record<string, string>>[]): string {
  const cells = [Object.keys(lines[0] ?? {}), ...lines.map((row) => Object.values(row))];
  return cells
    .map((row) => `| ${row.join(' | ')} |`)
    .toSpliced(1, 0, `| ${(cells[0] ?? []).map(() => '---').join(' | ')} |`)
    .join('\n');
}
