import type { AddressInfo } from 'node:net';
import type { INestApplication } from '@nestjs/common';
import type { Settings } from '../src/settings/settings.ts';
import { historyOf, statusOf } from '../src/submissions/submission.ts';
import { SubmissionSearchRepository } from '../src/submissions/submission-search.repository.ts';
import { DeliveryStack } from './delivery-stack.ts';
import { InboxClient, inboxUsers, type Answer, type Call } from './inbox-client.ts';
import { age, storeApplication, storeEnquiry } from './submissions.ts';

/** Bytes of a stored file. */
export const BYTES = Buffer.from('%PDF-1.7 the very bytes \0\xff', 'latin1');

/** A worker with its inbox. The default user is `ada`, who sees all forms. */
export class InboxStack {
  private constructor(
    readonly stack: DeliveryStack,
    readonly worker: INestApplication,
    readonly client: InboxClient,
  ) {}

  static async start(roles: Readonly<Record<string, string>>, settings: Partial<Settings> = {}): Promise<InboxStack> {
    const stack = await DeliveryStack.start({ settings: { INBOX_USERS: await inboxUsers(roles), ...settings } });
    const worker = (await stack.startWorker()) as INestApplication;
    await worker.listen(0, '127.0.0.1');
    const { port } = worker.getHttpServer().address() as AddressInfo;
    return new InboxStack(stack, worker, new InboxClient(`http://127.0.0.1:${port}`));
  }

  call(path: string, user = 'ada', options: Call = {}): Promise<Answer> {
    return this.client.call(path, { user, ...options });
  }

  async get(path: string, user = 'ada'): Promise<string> {
    return (await this.call(path, user)).text;
  }

  post(path: string, body: Call['body'] = {}, user = 'ada'): Promise<Answer> {
    return this.call(path, user, { method: 'POST', body });
  }

  /** Sends a form of a submission's page as the page is now, unless the body has another version. */
  async press(id: string, action: string, body: Call['body'] = {}, user = 'ada'): Promise<Answer> {
    const form = new URLSearchParams(body);
    if (!form.has('version')) form.set('version', String((await this.stack.submissions.find(id))?.version ?? 0));
    return this.post(`/inbox/${id}/${action}`, form, user);
  }

  /** Stores an enquiry that is held back. @returns its reference */
  held(fields = {}, reasons: readonly string[] = ['many links']): Promise<string> {
    return storeEnquiry(this.stack, fields, { quarantined: true, reasons });
  }

  /** Stores enquiries of different times that are held back. @returns their references, the newest first */
  async series(count: number): Promise<string[]> {
    const ids = await Promise.all(Array.from({ length: count }, () => this.held()));
    for (const [at, id] of ids.entries()) await age(this.stack.database, id, (at + 1) * 1_000);
    return ids;
  }

  /** Stores an application that is held back. @returns its reference */
  heldApplication(bytes = BYTES, rest = {}): Promise<string> {
    return storeApplication(this.stack, bytes, { quarantined: true, reasons: ['links'], ...rest });
  }

  /** Stores an enquiry whose mail is delivered. @returns its reference */
  async delivered(fields = {}): Promise<string> {
    const id = await storeEnquiry(this.stack, fields);
    await this.stack.delivered(id);
    return id;
  }

  async statusesOf(...ids: readonly string[]): Promise<string[]> {
    return (await new SubmissionSearchRepository(this.stack.database).findAll(ids)).map(statusOf);
  }

  /** Returns the events of a submission with their user and mailbox. */
  async eventsOf(id: string) {
    const { history } = (await this.stack.submissions.find(id)) ?? { history: '' };
    return historyOf({ history }).map(({ event, by, to }) => [event, by, ...(to ? [to] : [])]);
  }

  /** Deletes all submissions, so that the next test has a list of its own. */
  clear(): Promise<unknown> {
    return this.stack.database.run((db) => db.deleteFrom('submissions').execute());
  }
}

/** Heading of a page. */
export const titleOf = (text: string): string | undefined => /<h1[^>]*>(.*?)<\/h1>/.exec(text)?.[1];

/** The fields of a form. */
export const fieldsOf = (form: string): URLSearchParams =>
  new URLSearchParams(
    Array.from(form.matchAll(/name="(\w+)" value="([^"]*)"/g), ([, name = '', value = '']): [string, string] => [
      name,
      value.replace(/&#(\d+);/g, (_entity, code: string) => String.fromCharCode(Number(code))),
    ]),
  );

/** Returns which parts a page has. */
export const says = (text: string, ...parts: readonly string[]) => parts.map((part) => text.includes(part));
