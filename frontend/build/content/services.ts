import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mistake } from './yaml-mistakes.ts';

const FILE = 'form-service/src/contract/services.json';

/** The services that the enquiry form offers, in the order of its select box; the form service reads the same file. */
export const SERVICES_FILE = join(import.meta.dirname, '../../..', FILE);

const ENTRY = /^"(?:[^"\\]|\\.)*[^\s"](?:[^"\\]|\\.)*"(,?)$/;

/** Reads the services of the enquiry form, which stand on a line each. */
export function readServices(path: string): {
  readonly options: readonly string[];
  readonly mistakes: readonly Mistake[];
} {
  const lines = readFileSync(path, 'utf8').trim().split(/\r?\n/);
  const mistakes: Mistake[] = [];
  const options: string[] = [];
  for (const [index, text] of lines.entries()) {
    const line = text.trim();
    const refuse = (message: string) => mistakes.push({ file: FILE, line: index + 1, message });
    const [isFirst, isLast] = [index === 0, index === lines.length - 1];
    if (isFirst || isLast) {
      if (line !== (isFirst ? '[' : ']'))
        refuse(`the ${isFirst ? 'first' : 'last'} line must be ${isFirst ? '[' : ']'}`);
      continue;
    }
    const [whole, comma] = ENTRY.exec(line) ?? [];
    const isLastEntry = index === lines.length - 2;
    if (whole === undefined) refuse('a service stands on a line of its own, in double quotes: "Web Development",');
    else if (!comma && !isLastEntry) refuse('a comma is missing at the end of the line');
    else if (comma && isLastEntry) refuse('the last service has no comma after it');
    else {
      const option = JSON.parse(comma ? whole.slice(0, -1) : whole) as string;
      if (options.includes(option)) refuse(`"${option}" stands here twice`);
      options.push(option);
    }
  }
  return { options, mistakes };
}
