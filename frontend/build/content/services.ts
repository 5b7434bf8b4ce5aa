import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../paths.ts';
import { mistake, type Finding } from './findings.ts';

const FILE = 'form-service/src/contract/services.json';

/** The services that the enquiry form offers, in the order of its select box; the form service reads the same file. */
export const SERVICES_FILE = join(REPOSITORY, FILE);

/** Reads the services of the enquiry form, one on each line, so that a mistake has a line number. */
export function readServices(path: string): {
  readonly options: readonly string[];
  readonly mistakes: readonly Finding[];
} {
  const lines = readFileSync(path, 'utf8')
    .trim()
    .split(/\r?\n/)
    .map((line) => line.trim());
  const entries = lines.slice(1, -1);
  const wrong = (line: string, index: number) => {
    const isLast = index === entries.length - 1;
    if (!/^"(?:[^"\\]|\\.)*[^\s"](?:[^"\\]|\\.)*",?$/.test(line))
      return 'a service stands on a line of its own, in double quotes: "Web Development",';
    if (line.endsWith(',') === isLast)
      return isLast ? 'the last service has no comma after it' : 'a comma is missing at the end of the line';
    const name = line.replace(/,$/, '');
    return entries.findIndex((other) => other.replace(/,$/, '') === name) < index
      ? `${name} stands here twice`
      : undefined;
  };
  const mistakes = entries.flatMap((line, index) => {
    const message = wrong(line, index);
    return message ? [mistake(FILE, index + 2, message)] : [];
  });
  if (lines[0] !== '[' || lines.at(-1) !== ']') mistakes.push(mistake(FILE, 1, 'the list must stand between [ and ]'));
  return { options: mistakes.length > 0 ? [] : (JSON.parse(lines.join('')) as string[]), mistakes };
}
