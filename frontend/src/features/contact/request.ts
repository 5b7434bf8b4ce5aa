/** Milliseconds after which an answer is no longer waited for. */
const TIMEOUT_MS = 60_000;

/** A non-2xx answer: "{status}: {response text or status text}". */
export class HttpError extends Error {
  override readonly name = 'HttpError';

  constructor(status: number, text: string) {
    super(`${status}: ${text}`);
  }
}

/**
 * Posts JSON, once: a failure is never retried. Errors are asked for as a sentence, because the visitor reads them.
 *
 * @throws HttpError for a non-2xx answer; another error when there was none
 */
export async function postJson(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const response = await fetch(url, {
    method: 'POST',
    credentials: 'include',
    headers: { Accept: 'text/plain, application/json;q=0.5', 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.ok) return response;
  throw new HttpError(response.status, (await response.text()).trim() || response.statusText);
}
