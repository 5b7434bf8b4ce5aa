/** A non-2xx answer: "{status}: {response text or status text}" (spec 7). */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;

  constructor(status: number, text: string) {
    super(`${status}: ${text}`);
    this.status = status;
  }
}

/** @throws HttpError unless the answer is 2xx */
async function ensureOk(response: Response): Promise<Response> {
  if (response.ok) return response;
  const text = (await response.text()).trim();
  throw new HttpError(response.status, text || response.statusText);
}

/**
 * A request that changes something. Cookies are always sent, a JSON body brings its header, a failure is never retried
 * (spec 7, "Shared request rules"). Errors are asked for as a sentence, because the visitor reads them.
 *
 * @throws HttpError for a non-2xx answer; TypeError when there was none
 */
export async function mutate(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const response = await fetch(url, {
    method,
    credentials: 'include',
    headers: {
      Accept: 'text/plain, application/json;q=0.5',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return ensureOk(response);
}

export interface ReadOptions {
  /** What a 401 means: an error, or a null result. */
  readonly on401?: 'throw' | 'returnNull';
}

const reads = new Map<string, Promise<unknown>>();

/**
 * Reads JSON by GET from the parts of `key` joined with "/". The result never goes stale: it is read once and kept, and
 * a failure is neither kept nor retried (spec 7 and 9, "Data fetching").
 *
 * @throws HttpError for a non-2xx answer, a 401 included unless it means null
 */
export function read<Result>(key: readonly string[], { on401 = 'throw' }: ReadOptions = {}): Promise<Result | null> {
  const url = key.join('/');
  const id = `${on401} ${url}`;
  let result = reads.get(id);
  if (!result) {
    result = fetchJson(url, on401);
    reads.set(id, result);
    result.catch(() => reads.delete(id));
  }
  return result as Promise<Result | null>;
}

async function fetchJson(url: string, on401: 'throw' | 'returnNull'): Promise<unknown> {
  const response = await fetch(url, { credentials: 'include' });
  if (response.status === 401 && on401 === 'returnNull') return null;
  return (await ensureOk(response)).json();
}
