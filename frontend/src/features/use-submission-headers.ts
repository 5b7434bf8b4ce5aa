import { useCallback, useRef } from 'react';
import {
  FORM_TOKEN_HEADER,
  FORM_TOKEN_PATH,
  type FormTokenAnswer,
  IDEMPOTENCY_HEADER,
} from 'form-service/contract/protocol';

/** Returns a random identifier. `crypto.randomUUID` is missing where the site is served over plain HTTP. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Serializes values for comparison. A file is represented by its metadata, so that it need not be read. */
const fingerprint = (values: object) =>
  JSON.stringify(values, (_name, value: unknown) =>
    value instanceof File ? [value.name, value.size, value.lastModified] : value,
  );

/**
 * Provides the headers of a form's submissions: the token with the form's age, and the idempotency key. The same values,
 * sent again, keep their key and are delivered once.
 */
export function useSubmissionHeaders() {
  const last = useRef<{ key: string; content: string }>(undefined);
  const request = useRef<{ token?: string | undefined }>(undefined);

  return {
    /** Requests the form token in the background, once. Without an answer the form is sent without a token. */
    requestToken: useCallback(() => {
      if (request.current) return;
      const answer: { token?: string | undefined } = (request.current = {});
      void fetchToken().then(({ token }) => (answer.token = token));
    }, []),
    headersFor(values: object): Readonly<Record<string, string>> {
      const content = fingerprint(values);
      if (last.current?.content !== content) last.current = { key: newKey(), content };
      const token = request.current?.token;
      return { ...(token && { [FORM_TOKEN_HEADER]: token }), [IDEMPOTENCY_HEADER]: last.current.key };
    },
    /** Makes the next submission a new one, after the service has accepted this one. */
    renew(): void {
      last.current = undefined;
      request.current = undefined;
    },
  };
}

async function fetchToken(): Promise<FormTokenAnswer> {
  try {
    return (await (await fetch(FORM_TOKEN_PATH)).json()) as FormTokenAnswer;
  } catch {
    return {}; // Offline, blocked, or not JSON.
  }
}
