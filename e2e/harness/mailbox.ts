import { expect } from '@playwright/test';
import { simpleParser, type ParsedMail } from 'mailparser';

/** Reads what arrived at the mail catcher. */
export class Mailbox {
  private readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  /** The message whose subject names the reference, parsed from its raw source; waits until it has arrived. */
  async waitFor(reference: string): Promise<ParsedMail> {
    let ids: string[] = [];
    await expect
      .poll(async () => (ids = await this.idsOf(reference)).length, {
        message: `the mail ${reference}`,
        intervals: [50],
      })
      .toBeGreaterThan(0);
    const source = await this.get(`/api/email/${ids[0]}/source`);
    return simpleParser(Buffer.from(await source.arrayBuffer()));
  }

  /** How many messages name the reference at this moment. */
  async count(reference: string): Promise<number> {
    return (await this.idsOf(reference)).length;
  }

  private async idsOf(reference: string): Promise<string[]> {
    const list = (await (await this.get('/api/email')).json()) as { readonly id: string; readonly subject: string }[];
    return list.filter(({ subject }) => subject.includes(reference)).map(({ id }) => id);
  }

  private async get(path: string): Promise<Response> {
    const response = await fetch(`${this.url}${path}`);
    if (!response.ok) throw new Error(`The mail catcher answers ${response.status} to ${path}`);
    return response;
  }
}
