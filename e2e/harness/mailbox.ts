import { expect } from '@playwright/test';
import { simpleParser, type ParsedMail } from 'mailparser';

/** Reads messages from the mail catcher. */
export class Mailbox {
  private readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  /** Waits for the message with the reference in its subject, and parses its source. */
  async waitFor(reference: string): Promise<ParsedMail> {
    // Retries also cover a keep-alive connection that the catcher has just closed.
    let mail: ParsedMail | undefined;
    await expect(async () => {
      const [id] = await this.idsOf(reference);
      expect(id, `the mail ${reference}`).toBeDefined();
      const source = await this.get(`/api/email/${id}/source`);
      mail = await simpleParser(Buffer.from(await source.arrayBuffer()));
    }).toPass({ intervals: [50], timeout: 60_000 });
    return mail as ParsedMail;
  }

  /** Current number of messages with the reference in their subject. */
  async count(reference: string): Promise<number> {
    return (await this.idsOf(reference)).length;
  }

  private async idsOf(reference: string): Promise<string[]> {
    const list = (await (await this.get('/api/email')).json()) as { readonly id: string; readonly subject: string }[];
    return list.filter(({ subject }) => subject.includes(reference)).map(({ id }) => id);
  }

  private async get(path: string): Promise<Response> {
    // A kept connection may be closed by the catcher at the moment when a busy machine uses it again.
    const response = await fetch(`${this.url}${path}`, { headers: { connection: 'close' } });
    if (!response.ok) throw new Error(`The mail catcher answers ${response.status} to ${path}`);
    return response;
  }
}
