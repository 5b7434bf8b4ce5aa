import type { Accepted, Refused } from 'form-service/contract/protocol';
import { messages } from 'form-service/contract/messages';

/** Milliseconds without any progress after which an answer is no longer waited for. */
const STALL_MS = 60_000;

/** The longest text of an answer that is shown, in characters. What is longer is a page, and no sentence of ours. */
const SENTENCE_MAX_CHARS = 300;

export interface Submission {
  readonly path: string;
  /** JSON, or multipart form data. */
  readonly body: string | FormData;
  readonly headers: Readonly<Record<string, string>>;
  /** Aborted when the visitor no longer wants it sent. */
  readonly signal: AbortSignal;
  /** Told the share of the body that is sent so far, 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/** How a submission ended. */
export interface Outcome {
  readonly sent: boolean;
  /** What the visitor is told: the reference, or the reason of a failure; '' where the answer gives none. */
  readonly text: string;
  /** The status of an answer that refuses. */
  readonly status?: number;
  /** What is wrong with each field, by its name. */
  readonly errors?: Readonly<Record<string, string>>;
}

/**
 * Posts a form, once: a failure is never retried. It is sent only where the answer is the service's own, which says so
 * and names the reference: a network's sign-in page answers 200 too. XMLHttpRequest, because `fetch` does not tell how
 * much of an upload is sent.
 */
export function submit({ path, body, headers, signal, onProgress }: Submission): Promise<Outcome> {
  const request = new XMLHttpRequest();
  let stalled: ReturnType<typeof setTimeout>;
  const wait = () => {
    clearTimeout(stalled);
    stalled = setTimeout(() => request.abort(), STALL_MS);
  };

  return new Promise<Outcome>((resolve) => {
    request.open('POST', path);
    request.setRequestHeader('Accept', 'application/json');
    if (typeof body === 'string') request.setRequestHeader('Content-Type', 'application/json');
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      wait();
      if (lengthComputable) onProgress(loaded / total);
    };
    request.upload.onload = () => onProgress(1);
    request.onload = () => resolve(outcomeOf(request));
    request.onerror = request.onabort = () =>
      resolve({ sent: false, text: navigator.onLine ? messages.noAnswer : messages.offline });
    signal.addEventListener('abort', () => request.abort());
    wait();
    request.send(body);
  }).finally(() => clearTimeout(stalled));
}

function outcomeOf({ status, statusText, responseText }: XMLHttpRequest): Outcome {
  const answer = parsed(responseText);
  const isOk = status >= 200 && status < 300;
  if (isOk && answer.success === true && typeof answer.reference === 'string' && answer.reference)
    return { sent: true, text: messages.reference(answer.reference) };
  const message = answer.success === false && typeof answer.message === 'string' ? answer.message : '';
  if (isOk) return { sent: false, text: message || messages.foreignAnswer };
  return {
    sent: false,
    status,
    text: message || sentenceIn(responseText) || statusText,
    errors: firstOf(answer.errors),
  };
}

type Answer = { readonly [Key in keyof Accepted | keyof Refused]?: unknown };

function parsed(text: string): Answer {
  try {
    return (JSON.parse(text) as Answer | null) ?? {};
  } catch {
    return {};
  }
}

/** The text of an answer that is neither a page nor data. */
function sentenceIn(text: string): string {
  const sentence = text.trim();
  return /^[<{[]/.test(sentence) || sentence.length > SENTENCE_MAX_CHARS ? '' : sentence;
}

/** The first message of each field. */
function firstOf(errors: unknown): Record<string, string> {
  const entries = Object.entries((errors ?? {}) as NonNullable<Refused['errors']>);
  return Object.fromEntries(entries.map(([name, ofField]) => [name, String(ofField[0])]));
}
