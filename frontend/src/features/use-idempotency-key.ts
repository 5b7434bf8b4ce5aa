import { useEffect, useRef } from 'react';

/** A random identifier; `crypto.randomUUID` exists in secure contexts only, and a plain-HTTP host is none. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** A file stands for its content by what the browser knows of it without reading it. */
const digest = (values: object) =>
  JSON.stringify(values, (_name, value: unknown) =>
    value instanceof File ? [value.name, value.size, value.lastModified] : value,
  );

/**
 * The idempotency key of a form, made when the form is first shown: however often the same values are sent, they are
 * delivered once. Values that changed after an attempt are another submission and get a key of their own.
 */
export function useIdempotencyKey() {
  const state = useRef<{ key: string; sent?: string }>({ key: '' });
  useEffect(() => {
    state.current = { key: newKey() };
  }, []);

  return {
    /** Key for sending these values. */
    keyFor(values: object): string {
      const { key, sent } = state.current;
      const content = digest(values);
      state.current = { key: key && (sent ?? content) === content ? key : newKey(), sent: content };
      return state.current.key;
    },
    /** To be called when the values were accepted: the next submission is a new one. */
    renew(): void {
      state.current = { key: newKey() };
    },
  };
}
