/** A value within a content file. */
export interface Value {
  /** Path such as `sections[2].heading`. */
  readonly path: string;
  /** Name of the field; of an item, that of its list. */
  readonly key: string;
  readonly value: unknown;
}

/** Returns a value, and all values within it. */
export function valuesIn(value: unknown, path = '', key = '', found: Value[] = []): readonly Value[] {
  found.push({ path, key, value });
  if (typeof value === 'object' && value !== null)
    for (const [name, part] of Object.entries(value))
      if (Array.isArray(value)) valuesIn(part, `${path}[${name}]`, key, found);
      else valuesIn(part, path ? `${path}.${name}` : name, name, found);
  return found;
}
