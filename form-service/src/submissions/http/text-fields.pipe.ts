import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { isSchema, type ObjectSchema } from 'yup';

/**
 * Takes a form's own fields out of a body before its schema sees them. Yup looks keys up in plain objects and calls the
 * values' own methods, so a key such as `constructor`, or a value that is not text, must not reach it: such a value
 * becomes null, which no field allows.
 */
@Injectable()
export class TextFieldsPipe implements PipeTransform {
  transform(value: unknown, { schema }: ArgumentMetadata): unknown {
    if (!isSchema(schema) || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const body = value as Readonly<Record<string, unknown>>;
    const names = Object.keys((schema as ObjectSchema<object>).fields).filter((name) => Object.hasOwn(body, name));
    return Object.fromEntries(names.map((name) => [name, typeof body[name] === 'string' ? body[name] : null]));
  }
}
