import { useEffect, useRef } from 'react';

/** A random identifier; `crypto.randomUUID` exists in secure contexts only, and a plain-HTTP host is none. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * The idempotency key of a form, made when the form is first shown: however often the same content is sent, it is
 * delivered once. Content that changed after an attempt is another submission and gets a key of its own.
 */
export function useIdempotencyKey() {
  const state = useRef<{ key: string; content?: string }>({ key: '' });
  useEffect(() => {
    state.current = { key: newKey() };
  }, []);

  return {
    /** Key for sending this content. */
    keyFor(content: string): string {
      const { key, content: sent } = state.current;
      if (!key || (sent !== undefined && sent !== content)) state.current = { key: newKey(), content };
      else state.current.content = content;
      return state.current.key;
    },
    /** To be called when the content was accepted: the next submission is a new one. */
    renew(): void {
      state.current = { key: newKey() };
    },
  };
}
