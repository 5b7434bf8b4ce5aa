import { useEffect, useRef, type RefObject } from 'react';
import {
  FORM_TOKEN_HEADER,
  FORM_TOKEN_PATH,
  type FormTokenAnswer,
  IDEMPOTENCY_HEADER,
} from 'form-service/contract/protocol';

const TOUCHES = ['focusin', 'input'] as const;

/** A random identifier; `crypto.randomUUID` exists in secure contexts only, and a plain-HTTP host is none. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** A file stands for its content by what the browser knows of it without reading it. */
const digest = (values: object) =>
  JSON.stringify(values, (_name, value: unknown) =>
    value instanceof File ? [value.name, value.size, value.lastModified] : value,
  );

/** The headers that go along with a form's values: the idempotency key, and the signed age of the form. */
export function useSubmissionHeaders(form: RefObject<HTMLFormElement | null>) {
  const { keyFor, renew: renewKey } = useIdempotencyKey();
  const { token, renew: renewToken } = useFormToken(form);
  return {
    headersFor: (values: object): Readonly<Record<string, string>> => ({
      ...(token() && { [FORM_TOKEN_HEADER]: token() }),
      [IDEMPOTENCY_HEADER]: keyFor(values),
    }),
    /** To be called when the values were accepted: the next submission is a new one. */
    renew(): void {
      renewKey();
      renewToken();
    },
  };
}

/**
 * The idempotency key of a form, made when the form is first shown: however often the same values are sent, they are
 * delivered once. Values that changed after an attempt are another submission and get a key of their own.
 */
export function useIdempotencyKey() {
  const state = useRef<{ key: string; sent?: string }>({ key: '' });
  const renew = () => {
    state.current = { key: newKey() };
  };
  useEffect(renew, []);

  return {
    /** Key for sending these values. */
    keyFor(values: object): string {
      const { key, sent } = state.current;
      const content = digest(values);
      state.current = { key: key && (sent ?? content) === content ? key : newKey(), sent: content };
      return state.current.key;
    },
    renew,
  };
}

/**
 * The signed age of a form, asked for when the visitor touches it, in the background:
 * nothing waits for the answer, and where it is missing the form is sent without.
 */
function useFormToken(form: RefObject<HTMLFormElement | null>) {
  const asked = useRef<{ token?: string | undefined }>(undefined);

  useEffect(() => {
    const controls = form.current;
    const touch = () => {
      if (asked.current) return;
      const answer: { token?: string | undefined } = {};
      asked.current = answer;
      void ask().then(({ token }) => (answer.token = token));
    };
    // The visitor may have been there before React.
    if (controls?.contains(document.activeElement)) touch();
    for (const event of TOUCHES) controls?.addEventListener(event, touch);
    return () => {
      for (const event of TOUCHES) controls?.removeEventListener(event, touch);
    };
  }, [form]);

  return {
    /** What has come by now. */
    token: () => asked.current?.token,
    renew(): void {
      asked.current = undefined;
    },
  };
}

async function ask(): Promise<FormTokenAnswer> {
  try {
    const response = await fetch(FORM_TOKEN_PATH);
    return response.ok ? ((await response.json()) as FormTokenAnswer) : {};
  } catch {
    // Offline, blocked, or an address that is no secure context: the form works without.
    return {};
  }
}
