/**
 * Returns an object that is made when it is first looked at, so that a module can be imported before its values are read.
 *
 * @param known properties that can be looked at before
 */
export function lazy<Of extends object>(make: () => Of, known: Partial<Of> = {}): Of {
  let made: Of | undefined;
  const object = () => (made ??= { ...known, ...make() });
  return new Proxy({} as Of, {
    get: (_target, name) => Reflect.get(name in known ? known : object(), name),
    has: (_target, name) => Reflect.has(object(), name),
    ownKeys: () => Reflect.ownKeys(object()),
    getOwnPropertyDescriptor: (_target, name) => Reflect.getOwnPropertyDescriptor(object(), name),
  });
}
