import { jest } from '@jest/globals';

/** What an answered request is told. */
export interface FakeAnswer {
  readonly status: number;
  readonly statusText?: string;
  /** A text, or what is JSON. */
  readonly response: unknown;
}

/** Stands in for XMLHttpRequest: keeps what is sent, and is answered by the test. */
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
  readonly abort = jest.fn(() => this.onabort?.());

  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }

  send(body: unknown) {
    this.body = body;
    FakeXhr.sent.push(this);
  }

  /** The multipart body, where it is one. */
  get form(): FormData {
    return this.body as FormData;
  }

  answer({ status, statusText = '', response }: FakeAnswer) {
    this.status = status;
    this.statusText = statusText;
    this.responseText = typeof response === 'string' ? response : JSON.stringify(response);
    this.upload.onload?.();
    this.onload?.();
  }

  /** The request found no server. */
  fail() {
    this.onerror?.();
  }

  /** Puts it in the place of the browser's own, with nothing sent yet. */
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
