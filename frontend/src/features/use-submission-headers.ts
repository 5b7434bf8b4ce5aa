import { useEffect, useRef, type RefObject } from 'react';
import {
  FORM_TOKEN_HEADER,
  FORM_TOKEN_PATH,
  type FormTokenAnswer,
  IDEMPOTENCY_HEADER,
} from 'form-service/contract/protocol';

type Headers = Readonly<Record<string, string>>;

const TOUCHES = ['focusin', 'input'] as const;

/** A random identifier; `crypto.randomUUID` exists in secure contexts only, and a plain-HTTP host is none. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** A file stands for its content by what the browser knows of it without reading it. */
const digest = (values: object) =>
  JSON.stringify(values, (_name, value: unknown) =>
    value instanceof File ? [value.name, value.size, value.lastModified] : value,
  );

/**
 * The headers that go along with a form's values: the idempotency key, by which the same values are delivered once however
 * often they are sent, and the signed age of the form.
 */
export function useSubmissionHeaders(form: RefObject<HTMLFormElement | null>) {
  const { keyFor, renew: renewKey } = useIdempotencyKey();
  const token = useFormToken(form);
  return {
    headersFor: (values: object): Headers => ({ ...token.headers(), [IDEMPOTENCY_HEADER]: keyFor(values) }),
    /** To be called when the values were accepted: the next submission is a new one. */
    renew(): void {
      renewKey();
      token.renew();
    },
  };
}

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
    renew(): void {
      state.current = { key: newKey() };
    },
  };
}

/**
 * The signed age of a form, asked for when the visitor first touches it, in the background:
 * nothing waits for it, and where it is missing the form is sent without.
 */
function useFormToken(form: RefObject<HTMLFormElement | null>) {
  const asked = useRef<{ headers: Headers } | undefined>(undefined);

  useEffect(() => {
    const controls = form.current;
    const touch = () => {
      if (asked.current) return;
      const answer = { headers: {} };
      asked.current = answer;
      void ask((headers) => Object.assign(answer.headers, headers));
    };
    // The visitor may have been there before React.
    if (controls?.contains(document.activeElement)) touch();
    for (const event of TOUCHES) controls?.addEventListener(event, touch);
    return () => {
      for (const event of TOUCHES) controls?.removeEventListener(event, touch);
    };
  }, [form]);

  return {
    /** What is there to be sent along by now. */
    headers: (): Headers => asked.current?.headers ?? {},
    renew(): void {
      asked.current = undefined;
    },
  };
}

async function ask(add: (headers: Headers) => void): Promise<void> {
  try {
    const response = await fetch(FORM_TOKEN_PATH);
    if (!response.ok) return;
    const { token } = (await response.json()) as FormTokenAnswer;
    if (token) add({ [FORM_TOKEN_HEADER]: token });
  } catch {
    // Offline, blocked, or an address that is no secure context: the form works without.
  }
}
