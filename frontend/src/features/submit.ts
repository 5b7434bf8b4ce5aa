import type { AcceptedAnswer, ErrorAnswer } from 'form-service/contract/protocol';
import { messages } from 'form-service/contract/messages';

/** Milliseconds without progress after which the request is aborted. */
const STALL_MS = 60_000;

/** Repetitions of a request that the service cannot take now, and the longest pause before one, in seconds. */
const MAX_REPETITIONS = 2;
const PATIENCE_S = 30;

/** Maximum length of a plain text answer that is shown, in characters. A longer one is a page, not our sentence. */
const SENTENCE_MAX_CHARS = 300;

export interface SubmissionRequest {
  readonly path: string;
  /** JSON, or multipart form data. */
  readonly body: string | FormData;
  readonly headers: Readonly<Record<string, string>>;
  /** Aborted when the visitor cancels. */
  readonly signal: AbortSignal;
  /** Receives the share of the body that has been uploaded, 0 to 1. */
  readonly onProgress: (share: number) => void;
  /** Receives whether the request waits to be repeated. */
  readonly onWaiting: (isWaiting: boolean) => void;
}

export type SubmissionResult =
  | { readonly sent: true; readonly reference: string }
  | {
      readonly sent: false;
      /** Sentence for the visitor; '' if the answer has none. */
      readonly reason: string;
      /** Text of the HTTP status, which HTTP/2 does not have. */
      readonly statusText?: string;
      /** HTTP status, if the service or a proxy refused the submission. */
      readonly status?: number;
      /** Message for each invalid field, by field name. */
      readonly errors?: Readonly<Record<string, string>>;
      /** Seconds after which the service can take the request, if it asks for a repetition. */
      readonly retryAfterS?: number | undefined;
    };

/**
 * Posts a form. A 503 with a short Retry-After, such as during an update of the service, is repeated with the same body
 * and idempotency key: the service has kept nothing. No other failure is repeated.
 */
export async function submit(request: SubmissionRequest): Promise<SubmissionResult> {
  for (let repetitions = 0; ; repetitions += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const result = await post(request);
    const { retryAfterS = Infinity } = result.sent ? {} : result;
    if (repetitions === MAX_REPETITIONS || retryAfterS > PATIENCE_S) return result;
    request.onProgress(0);
    request.onWaiting(true);
    // oxlint-disable-next-line no-await-in-loop
    await pause(retryAfterS * 1000, request.signal);
    request.onWaiting(false);
    if (request.signal.aborted) return result;
  }
}

/** Resolves after the time, or when the signal is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/**
 * Posts a form once. The form counts as sent only if the answer is the service's own, with a reference: the sign-in page
 * of a public network answers 200, too. Uses XMLHttpRequest, because `fetch` reports no upload progress.
 */
function post({ path, body, headers, signal, onProgress }: SubmissionRequest): Promise<SubmissionResult> {
  const request = new XMLHttpRequest();
  let stalled: ReturnType<typeof setTimeout>;
  const wait = () => {
    clearTimeout(stalled);
    stalled = setTimeout(() => request.abort(), STALL_MS);
  };

  return new Promise<SubmissionResult>((resolve) => {
    request.open('POST', path);
    request.setRequestHeader('Accept', 'application/json');
    if (typeof body === 'string') request.setRequestHeader('Content-Type', 'application/json');
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      wait();
      if (lengthComputable) onProgress(loaded / total);
    };
    request.upload.onload = () => onProgress(1);
    request.onload = () => resolve(resultOf(request));
    request.onerror = request.onabort = () =>
      resolve({ sent: false, reason: navigator.onLine ? messages.noAnswer : messages.offline });
    signal.addEventListener('abort', () => request.abort());
    wait();
    request.send(body);
  }).finally(() => clearTimeout(stalled));
}

function resultOf(request: XMLHttpRequest): SubmissionResult {
  const { status, statusText, responseText } = request;
  const answer = parse(responseText);
  const isOk = status >= 200 && status < 300;
  if (isOk && answer.success === true && typeof answer.reference === 'string' && answer.reference)
    return { sent: true, reference: answer.reference };
  const message = answer.success === false && typeof answer.message === 'string' ? answer.message : '';
  if (isOk) return { sent: false, reason: message || messages.foreignAnswer };
  return {
    sent: false,
    status,
    statusText,
    reason: message || sentenceIn(responseText),
    errors: firstOf(answer.errors),
    retryAfterS: status === 503 ? secondsIn(request.getResponseHeader('Retry-After')) : undefined,
  };
}

type Answer = { readonly [Key in keyof AcceptedAnswer | keyof ErrorAnswer]?: unknown };

function parse(text: string): Answer {
  try {
    return (JSON.parse(text) as Answer | null) ?? {};
  } catch {
    return {};
  }
}

const secondsIn = (header: string | null) => (header && /^\d+$/.test(header) ? Number(header) : undefined);

/** Returns a plain text answer, or '' for HTML and JSON. */
function sentenceIn(text: string): string {
  const sentence = text.trim();
  return /^[<{[]/.test(sentence) || sentence.length > SENTENCE_MAX_CHARS ? '' : sentence;
}

/** Returns the first message of each field. */
function firstOf(errors: unknown): Record<string, string> {
  const entries = Object.entries((errors ?? {}) as NonNullable<ErrorAnswer['errors']>);
  return Object.fromEntries(entries.map(([name, ofField]) => [name, String(ofField[0])]));
}
