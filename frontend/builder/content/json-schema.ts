import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnySchema } from 'yup';
import { brandFile, companyFile, navigationFile, pageFile } from './schema.ts';

/** JSON Schemas for editors, derived from the Yup schema of the build. */

/** Yup's description of a schema, with the `meta` that ours add. */
interface Description {
  readonly type: string;
  readonly optional?: boolean;
  readonly fields?: Readonly<Record<string, Description>>;
  readonly innerType?: Description;
  readonly oneOf?: readonly unknown[];
  readonly meta?: {
    readonly description?: string;
    readonly format?: string;
    /** Kind of the names in a choice, such as "icon". */
    readonly of?: string;
    readonly anyOf?: readonly AnySchema[];
    readonly values?: AnySchema;
  };
}

const describe = (schema: AnySchema) => schema.describe() as Description;

type Files = Record<string, object>;

const HEAD = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $comment: 'Made by the build from schema.ts.',
};

/** Text. Editors read a value such as 2014 as a number, but the build reads it as text. */
const TEXT = { type: ['string', 'number'] };

/** Maximum number of names in a schema. Longer lists have their own file. */
const MAX_NAMES = 12;

/** A union of schemas is required if each of them is. */
const isRequired = ({ optional, meta }: Description): boolean =>
  meta?.anyOf?.every((schema) => isRequired(describe(schema))) ?? (optional === false || meta?.values !== undefined);

function toJson({ type, fields, innerType, oneOf = [], meta = {} }: Description, files: Files): object {
  const { of = '', anyOf, values, ...shown } = meta;
  const inner = (part: Description) => toJson(part, files);
  if (anyOf) return { anyOf: anyOf.map((schema) => inner(describe(schema))), ...shown };
  if (values) return { type: 'object', additionalProperties: inner(describe(values)), ...shown };
  if (fields) {
    const named = Object.entries(fields);
    return {
      type,
      properties: Object.fromEntries(named.map(([name, field]) => [name, inner(field)])),
      required: named.filter(([, field]) => isRequired(field)).map(([name]) => name),
      additionalProperties: false,
      ...shown,
    };
  }
  if (innerType) return { type, items: inner(innerType), minItems: 1, ...shown };
  if (oneOf.length === 0) return { ...(type === 'string' || type === 'mixed' ? TEXT : { type }), ...shown };
  if (oneOf.length <= MAX_NAMES) return { enum: oneOf, ...shown };
  files[`${of}.json`] = { ...HEAD, enum: oneOf };
  return { $ref: `${of}.json`, ...shown };
}

/** Writes the JSON Schemas that the YAML files name in their first lines. */
export function writeSchemas(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, schema] of Object.entries(jsonSchemas())) writeFileSync(join(folder, name), JSON.stringify(schema));
}

/** The JSON Schemas of the YAML files, by the names of their own files. */
function jsonSchemas(): Readonly<Record<string, object>> {
  const files: Files = {};
  for (const [name, schema] of Object.entries({
    page: pageFile,
    brand: brandFile,
    company: companyFile,
    navigation: navigationFile,
  }))
    files[`${name}.json`] = { ...HEAD, ...toJson(describe(schema), files) };
  return files;
}
