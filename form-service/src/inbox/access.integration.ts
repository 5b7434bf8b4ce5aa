import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RequestMethod } from '@nestjs/common';
import type { Answer } from '../../test/inbox-client.ts';
import { BYTES, InboxStack } from '../../test/inbox-stack.ts';
import { setColumns } from '../../test/submissions.ts';
import { allRecipients } from '../submissions/recipients.ts';
import { FileController } from './file.controller.ts';
import { ListController } from './list.controller.ts';
import { SubmissionController } from './submission.controller.ts';
import { OTHER_SERVICE, SERVICE } from '../../test/services.ts';
import { words } from '../../test/words.ts';

/** The mailbox of a service, which is a role, too. */
const SAP = 'sap@kitewright.example';
const { list } = words.inbox;
const NOTHING = words.inbox.errors.nothing;

let inbox: InboxStack;
let stack: InboxStack['stack'];

beforeAll(async () => {
  inbox = await InboxStack.start(
    { sam: 'sales', hana: 'hr', ada: 'all', pam: SAP },
    {
      INBOX_LABELS: new Map([['', ['invited']]]),
      RECIPIENTS: new Map([[OTHER_SERVICE, SAP]]),
    },
  );
  ({ stack } = inbox);
});

afterAll(() => stack.close());

type User = 'sam' | 'hana' | 'ada' | 'pam';

/** A submission by its form, service and the mailbox that it was handed over to, and the users who may see it. */
interface Case {
  readonly service?: string;
  readonly form: 'contact' | 'application';
  readonly to: string | null;
  readonly seenBy: readonly User[];
}

/** Which mailboxes are in the scope of a role is tested there. Here is whether each route asks for it. */
const cases = (): readonly Case[] => [
  { form: 'contact', to: null, seenBy: ['sam', 'ada'] },
  { form: 'application', to: null, seenBy: ['hana', 'ada'] },
  { form: 'contact', service: OTHER_SERVICE, to: null, seenBy: ['sam', 'ada', 'pam'] },
  { form: 'contact', service: OTHER_SERVICE, to: stack.settings.HR_INBOX, seenBy: ['sam', 'hana', 'ada'] },
  { form: 'application', to: SAP, seenBy: ['sam', 'hana', 'ada', 'pam'] },
  // A mailbox that has left the settings gets nothing more, so it opens nothing.
  { form: 'application', to: 'former-sales@kitewright.example', seenBy: ['hana', 'ada'] },
];

let count = 0;

/** Stores a submission that is quarantined, or in another state. @returns its reference and a word that only it has */
async function store({ form, service = SERVICE, to }: Case, columns: Record<string, unknown> = {}) {
  const word = `Unmistakable${++count}x`;
  const email = `${word}@visitor.example`;
  const fields = { fullName: word, email, phone: '', position: '', experience: '', coverLetter: '' };
  const id = await (form === 'contact'
    ? inbox.held({ name: word, service, email })
    : inbox.heldApplication(BYTES, { fields }));
  await setColumns(stack.database, id, { recipient: to, ...columns });
  return { id, word };
}

type Stored = Awaited<ReturnType<typeof store>>;

/** A request to a route, and whether its answer shows that the user may see the submission. */
interface Probe {
  /** State that the action needs. */
  readonly state?: string;
  /** Whether only an application has it. */
  readonly isOfFile?: boolean;
  readonly run: (stored: Stored, user: User) => Promise<boolean>;
}

const get = (path: string, user: User) => inbox.call(path, user);
const post = (path: string, body: Record<string, string>, user: User) => inbox.post(path, body, user);
const stored = async (id: string) => stack.submissions.find(id);

/** Whether the user may see what was asked for. A refusal always has the same status and sentence. */
function isAllowed({ status, text }: Answer): boolean {
  if (status !== 404) return true;
  expect(text).toContain(NOTHING);
  return false;
}

/** Whether an action was allowed and took effect. A refused one must leave the submission unchanged. */
async function acted(id: string, user: User, action: string, body: Record<string, string> = {}): Promise<boolean> {
  const before = await stored(id);
  const allowed = isAllowed(await inbox.press(id, action, body, user));
  const after = await stored(id);
  // A delivery may begin at once, so only a change is expected.
  if (allowed) expect(after).not.toEqual(before);
  else expect(after).toEqual(before);
  return allowed;
}

/** Whether the user gets the file at an address, by GET and by HEAD. */
async function isFileAllowed(path: string, user: User): Promise<boolean> {
  const answer = await get(path, user);
  const allowed = isAllowed(answer);
  expect(answer.bytes.equals(BYTES)).toBe(allowed);
  expect((await inbox.call(path, user, { method: 'HEAD' })).status).toBe(allowed ? 200 : 404);
  return allowed;
}

/** Every route of the inbox's controllers. A route without a row here fails the test. */
const PROBES: Readonly<Record<string, Probe>> = {
  'GET /': {
    async run({ id, word }, user) {
      const found = await Promise.all([
        get('/inbox', user).then(({ text }) => text.includes(id)),
        get('/inbox?state=all', user).then(({ text }) => text.includes(id)),
        get('/inbox?state=waiting&days=7', user).then(({ text }) => text.includes(id)),
        get(`/inbox?q=${word}`, user).then(({ text }) => text.includes(list.found({ filter: '', count: 1 }))),
      ]);
      expect(new Set(found).size).toBe(1);
      return found[0] === true;
    },
  },
  'GET export.csv': {
    async run({ id, word }, user) {
      const found = await Promise.all(
        ['', '?state=waiting', `?q=${word}`].map((query) =>
          get(`/inbox/export.csv${query}`, user).then(({ text }) => text.includes(id)),
        ),
      );
      expect(new Set(found).size).toBe(1);
      return found[0] === true;
    },
  },
  'POST mark': {
    async run({ id }, user) {
      await post('/inbox/mark', { id, as: 'done' }, user);
      return (await stored(id))?.handled === 'done';
    },
  },
  'POST undo': {
    async run({ id }, user) {
      const at = Date.now() + ++count;
      await setColumns(stack.database, id, { handled: 'spam', handledAt: at, handledBy: user });
      const isOffered = (await get(`/inbox?marked=${at}`, user)).text.includes(list.marked.spam({ count: 1 }));
      await post('/inbox/undo', { at: String(at) }, user);
      const isUndone = (await stored(id))?.handled === null;
      expect(isUndone).toBe(isOffered);
      return isUndone;
    },
  },
  'GET :reference': { run: async ({ id }, user) => isAllowed(await get(`/inbox/${id}`, user)) },
  'POST :reference/mark': { run: ({ id }, user) => acted(id, user, 'mark', { as: 'done' }) },
  'POST :reference/note': { run: ({ id }, user) => acted(id, user, 'note', { note: 'Called.' }) },
  'POST :reference/send': {
    state: 'delivered',
    async run({ id }, user) {
      const current = (await stored(id))?.recipient;
      const to = allRecipients(stack.settings).find((one) => one !== current) ?? '';
      return acted(id, user, 'send', { to, confirmed: 'yes' });
    },
  },
  'GET :reference/resume': { isOfFile: true, run: ({ id }, user) => isFileAllowed(`/inbox/${id}/resume`, user) },
  'GET :reference/view': { isOfFile: true, run: ({ id }, user) => isFileAllowed(`/inbox/${id}/view`, user) },
  'POST :reference/erase': { run: ({ id }, user) => acted(id, user, 'erase') },
  'POST :reference/:action': {
    async run({ id }, user) {
      const waiting = { nextAttemptAt: Date.now() + 3_600_000, leaseToken: null, leaseUntil: null };
      const on = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
      const results = new Set<boolean>();
      for (const [action, columns, body] of [
        ['take', {}, {}],
        ['label', {}, { add: 'invited' }],
        ['remind', {}, { on }],
        ['undo', { handled: 'spam', handledAt: 1, handledBy: 'ada' }, {}],
        ['release', { handled: null }, {}],
        ['resend', { state: 'failed' }, {}],
        ['send-now', { state: 'pending' }, {}],
        ['give-up', { state: 'pending' }, {}],
      ] as const) {
        await setColumns(stack.database, id, { ...waiting, ...columns });
        results.add(await acted(id, user, action, body));
      }
      expect(results.size).toBe(1);
      return results.has(true);
    },
  },
};

describe('inbox > access', () => {
  for (const [route, { state, isOfFile = false, run }] of Object.entries(PROBES))
    it(`${route} > is open by form or by mailbox of the role`, async () => {
      const results: unknown[] = [];
      const expected: unknown[] = [];
      for (const one of cases())
        for (const user of ['sam', 'hana', 'ada', 'pam'] as const) {
          if (isOfFile && one.form !== 'application') continue;
          const submission = await store(one, state === undefined ? {} : { state });
          results.push([one.form, one.to, user, await run(submission, user)]);
          expected.push([one.form, one.to, user, one.seenBy.includes(user)]);
        }
      expect(results).toEqual(expected);
    });

  it('covers every route', () => {
    const routes = [ListController, SubmissionController, FileController].flatMap((controller) => {
      const prototype = controller.prototype as unknown as Record<string, object>;
      const prefix = (Reflect.getMetadata('path', controller) as string).replace(/^inbox\/?/, '');
      return Object.getOwnPropertyNames(prototype).flatMap((name) => {
        const path = Reflect.getMetadata('path', prototype[name] ?? {}) as string | undefined;
        const method = Reflect.getMetadata('method', prototype[name] ?? {}) as RequestMethod | undefined;
        const address = [prefix, path].filter((part) => part !== '' && part !== '/').join('/') || '/';
        return path === undefined || method === undefined ? [] : [`${RequestMethod[method]} ${address}`];
      });
    });
    expect(routes.toSorted()).toEqual(Object.keys(PROBES).toSorted());
  });

  it('counts the others from an address that were handed over to the role', async () => {
    const ids: string[] = [];
    for (const recipient of [null, stack.settings.HR_INBOX, stack.settings.HR_INBOX]) {
      ids.push(await inbox.held({ email: `${ids.length > 0 ? 'Often' : 'often'}@visitor.example` }));
      await setColumns(stack.database, ids.at(-1) ?? '', { recipient });
    }
    for (const [user, others] of [['hana', 1] as const, ['sam', 2] as const])
      expect((await get(`/inbox/${ids[2]}`, user)).text).toContain(
        `?state=all&amp;q=Often%40visitor.example">${words.inbox.submission.others({ count: others })}`,
      );
  });
});
