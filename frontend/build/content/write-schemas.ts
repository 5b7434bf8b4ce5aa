import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonSchemas } from './json-schema.ts';

const FOLDER = join(import.meta.dirname, '../../content/schema');

mkdirSync(FOLDER, { recursive: true });
for (const [name, schema] of Object.entries(jsonSchemas()))
  writeFileSync(join(FOLDER, name), `${JSON.stringify(schema)}\n`);
