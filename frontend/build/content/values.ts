/** A value within a content file. */
export interface Value {
  /** Path such as `sections[2].heading`. */
  readonly path: string;
  /** Name of the field; of an item, that of its list. */
  readonly key: string;
  readonly value: unknown;
}

/** Returns a value, and all values within it. */
export function* valuesIn(value: unknown, path = '', key = ''): Generator<Value> {
  yield { path, key, value };
  if (typeof value !== 'object' || value === null) return;
  for (const [name, part] of Object.entries(value))
    yield* Array.isArray(value)
      ? valuesIn(part, `${path}[${name}]`, key)
      : valuesIn(part, [path, name].filter(Boolean).join('.'), name);
}
