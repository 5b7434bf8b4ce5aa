import { jest } from '@jest/globals';

/** Response to a request. */
export interface FakeAnswer {
  readonly status: number;
  readonly statusText?: string;
  /** Text, or a value that is sent as JSON. */
  readonly response: unknown;
  /** Seconds in the header `Retry-After`. */
  readonly retryAfter?: number | string;
}

/** Fake XMLHttpRequest, which records requests and is answered by the test. */
export class FakeXhr {
  /** The requests of a test, oldest first. */
  static sent: FakeXhr[] = [];

  readonly open = jest.fn<(method: string, url: string) => void>();
  readonly headers: Record<string, string> = {};
  readonly upload: { onprogress: ((event: Partial<ProgressEvent>) => void) | null; onload: (() => void) | null } = {
    onprogress: null,
    onload: null,
  };
  status = 0;
  statusText = '';
  responseText = '';
  body: unknown;
  onload: (() => void) | null = null;
  onerror: (() => void) | null = null;
  onabort: (() => void) | null = null;
  private retryAfter: string | null = null;
  readonly abort = jest.fn(() => this.onabort?.());

  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }

  getResponseHeader = (name: string) => (name === 'Retry-After' ? this.retryAfter : null);

  send(body: unknown) {
    this.body = body;
    FakeXhr.sent.push(this);
  }

  /** The multipart body. */
  get form(): FormData {
    return this.body as FormData;
  }

  answer({ status, statusText = '', response, retryAfter }: FakeAnswer) {
    this.retryAfter = retryAfter === undefined ? null : String(retryAfter);
    this.status = status;
    this.statusText = statusText;
    this.responseText = typeof response === 'string' ? response : JSON.stringify(response);
    this.upload.onload?.();
    this.onload?.();
  }

  /** Fails without an answer. */
  fail() {
    this.onerror?.();
  }

  /** Replaces the browser's XMLHttpRequest. */
  static install() {
    FakeXhr.sent = [];
    globalThis.XMLHttpRequest = FakeXhr as unknown as typeof XMLHttpRequest;
  }

  static get last(): FakeXhr {
    const request = FakeXhr.sent.at(-1);
    if (!request) throw new Error('nothing was sent');
    return request;
  }
}
