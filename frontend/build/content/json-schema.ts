import type { AnySchema } from 'yup';
import { companyFile, navigationFile, pageFile } from '../../src/content/schema.ts';

/** What an editor shows and checks, out of the schema that the build checks with. */

interface Meta {
  readonly description?: string;
  readonly format?: string;
  readonly names?: readonly string[];
  readonly of?: string;
  readonly anyOf?: readonly AnySchema[];
  readonly values?: AnySchema;
}

type Definitions = Record<string, object>;

/** Of text; an editor takes a value such as 2014 for a number, and it is text all the same. */
const TEXT = { type: ['string', 'number'] };

/** Lists of names that are longer stand in the file once. */
const LONG = 12;

/** What may be one of several schemas is needed when each of them is. */
function isRequired({ spec }: AnySchema): boolean {
  const { anyOf } = (spec as { meta?: Meta }).meta ?? {};
  return anyOf ? anyOf.every(isRequired) : spec.optional === false;
}

function toJson(schema: AnySchema, definitions: Definitions): object {
  const { type } = schema;
  const { meta = {} } = schema.spec as { meta?: Meta };
  const { names, of = '', anyOf, values, description, format } = meta;
  const inner = (part: unknown) => toJson(part as AnySchema, definitions);
  const shown = { ...(description ? { description } : {}), ...(format ? { format } : {}) };
  if (anyOf) return { anyOf: anyOf.map(inner), ...shown };
  if (values) return { type: 'object', additionalProperties: inner(values), ...shown };
  if (type === 'object') {
    const fields = Object.entries((schema as unknown as { fields: Record<string, AnySchema> }).fields);
    return {
      type,
      properties: Object.fromEntries(fields.map(([name, field]) => [name, inner(field)])),
      required: fields.filter(([, field]) => isRequired(field)).map(([name]) => name),
      additionalProperties: false,
      ...shown,
    };
  }
  if (type === 'array')
    return { type, items: inner((schema as unknown as { innerType: AnySchema }).innerType), minItems: 1, ...shown };
  if (!names) return { ...(type === 'string' ? TEXT : { type }), ...shown };
  if (names.length <= LONG) return { enum: names, ...shown };
  definitions[of] = { enum: names };
  return { $ref: `#/$defs/${of}`, ...shown };
}

/** The JSON Schemas of the YAML files, by the names of their own files. */
export function jsonSchemas(): Readonly<Record<string, object>> {
  const files = { page: pageFile, company: companyFile, navigation: navigationFile };
  return Object.fromEntries(
    Object.entries(files).map(([name, schema]) => {
      const definitions: Definitions = {};
      const root = toJson(schema, definitions);
      return [
        `${name}.json`,
        {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          $comment: 'Made by "npm run content:schema -w frontend" from src/content/schema.ts.',
          ...root,
          $defs: definitions,
        },
      ];
    }),
  );
}
