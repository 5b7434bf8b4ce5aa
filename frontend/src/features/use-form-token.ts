import { useEffect, useRef, type RefObject } from 'react';
import { FORM_TOKEN_HEADER, FORM_TOKEN_PATH, type FormTokenAnswer } from 'form-service/contract/form-token';

type Headers = Readonly<Record<string, string>>;

const TOUCHES = ['focusin', 'input'] as const;

/**
 * The signed age of a form, asked for when the visitor first touches it, in the background:
 * nothing waits for it, and where it is missing the form is sent without.
 */
export function useFormToken(form: RefObject<HTMLFormElement | null>) {
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
    /** To be called when a submission was accepted: the next one is begun anew. */
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
