import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FORM_KINDS, FORMS } from '../../../form-service/src/contract/forms.ts';
import { FRONTEND } from '../paths.ts';

const SOURCE = join(FRONTEND, 'src');
const components = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'))
  .map((file) => readFileSync(join(SOURCE, file), 'utf8'))
  .join('\n');
const found = (pattern: RegExp) => [...components.matchAll(pattern)].map(([, name = '']) => name);

/** Forms and their fields, whose names are ids, alone or with an ending such as `-hint`. */
const owners = new Set([...FORM_KINDS, ...FORMS.flatMap(({ fields }) => fields.map(({ name }) => name))]);
const endings = found(/\$\{(?:name|kind)\}(-\w+)/g);
const taken = new Set([
  ...found(/\bid="([\w-]+)"/g),
  ...[...owners].flatMap((name) => [name, ...endings.map((ending) => name + ending)]),
]);

/** Whether the frame of the pages or a form has an id, as their sources say. */
export const isTakenId = (id: string) => taken.has(id);
