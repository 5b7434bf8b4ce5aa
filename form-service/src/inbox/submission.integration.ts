import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { BYTES, InboxStack, says, titleOf } from '../../test/inbox-stack.ts';
import { setColumns, storeApplication, storeEnquiry } from '../../test/submissions.ts';
import { OTHER_SERVICE } from '../../test/services.ts';
import { until } from '../../test/until.ts';
import { by, words } from '../../test/words.ts';
import { application as applicationForm } from '../contract/forms/application.ts';
import { contact } from '../contract/forms/contact.ts';
import { fill } from '../contract/messages.ts';
import { zoneText } from '../html/format.ts';

const { history } = words.submissions;
const { errors, submission } = words.inbox;
const SAP = 'sap@kitewright.example';
const DAY_MS = 86_400_000;
const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

let inbox: InboxStack;
let stack: InboxStack['stack'];

beforeAll(async () => {
  inbox = await InboxStack.start(
    { sam: 'sales', hana: 'hr', ada: 'all', bo: 'all' },
    {
      RECIPIENTS: new Map([[OTHER_SERVICE, SAP]]),
      INBOX_LABELS: new Map([
        ['', ['on hold']],
        ['application', ['invited']],
      ]),
      RETENTION_DAYS: 30,
    },
  );
  ({ stack } = inbox);
});

afterAll(() => stack.close());
beforeEach(() => inbox.clear());

const pageOf = (id: string, user?: string) => inbox.get(`/inbox/${id}`, user);
const stored = (id: string) => stack.submissions.find(id);

/** Stores a mail that the server has refused, and that waits for its next attempt. */
async function waiting(): Promise<string> {
  stack.mail.behaviour = { refuse: 'data', code: 451 };
  const id = await storeEnquiry(stack);
  await until('the first attempt', async () => ((await stack.submissions.find(id))?.nextAttemptAt ?? 0) > 0);
  stack.mail.behaviour = 'accept';
  return id;
}

const marked = async () => {
  const id = await inbox.held();
  await inbox.press(id, 'mark', { as: 'spam' }, 'bo');
  return id;
};

const taken = async () => {
  const id = await inbox.held();
  await inbox.press(id, 'take', {}, 'bo');
  return id;
};

interface Act {
  readonly title: string;
  readonly action: string;
  readonly body?: Readonly<Record<string, string>>;
  /** Stores a submission that allows it. */
  readonly store?: () => Promise<string>;
  readonly event: string;
}

/** Everything that staff do on a submission's page. */
const ACTS: readonly Act[] = [
  { title: 'done', action: 'mark', body: { as: 'done' }, event: 'done' },
  { title: 'spam', action: 'mark', body: { as: 'spam' }, event: 'spam' },
  { title: 'undo', action: 'undo', store: marked, event: 'reopened' },
  { title: 'take', action: 'take', event: 'taken' },
  { title: 'take over', action: 'take', store: taken, event: 'taken' },
  { title: 'label', action: 'label', body: { add: 'on hold' }, event: 'labelled' },
  { title: 'remind', action: 'remind', body: { on: dayIn(2) }, event: 'reminder' },
  { title: 'note', action: 'note', body: { note: 'Called.' }, event: 'note' },
  { title: 'release', action: 'release', event: 'released' },
  { title: 'send again', action: 'resend', store: () => inbox.delivered(), event: 'sent again' },
  { title: 'send now', action: 'send-now', store: waiting, event: 'sent again' },
  { title: 'give up', action: 'give-up', store: waiting, event: 'given up' },
  { title: 'hand over', action: 'send', body: { to: SAP }, store: () => inbox.delivered(), event: 'sent on' },
];
describe('inbox > version', () => {
  it.each(ACTS)('$title > is done once > the user presses twice', async ({ action, body, store, event }) => {
    const id = await (store ?? inbox.held.bind(inbox))();
    const version = String((await stored(id))?.version);
    const press = () => inbox.press(id, action, { ...body, version });
    const answers = [...(await Promise.all([press(), press()])), await press()];
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    const done = (await inbox.eventsOf(id)).filter(([name, user]) => name === event && user === 'ada');
    expect(done).toHaveLength(1);
  });

  it.each(ACTS)('$title > shows the page again > a colleague was quicker', async ({ action, body, store }) => {
    const id = await (store ?? inbox.held.bind(inbox))();
    const version = String((await stored(id))?.version);
    await inbox.press(id, 'note', { note: 'Mine.' }, 'sam');
    const before = await stored(id);
    const { status, text } = await inbox.press(id, action, { ...body, version });
    expect([status, text.includes(errors.changed)]).toEqual([409, true]);
    expect(await stored(id)).toEqual(before);
    // The typed text is not lost.
    expect(text).toContain(action === 'note' ? '>Called.</textarea>' : 'Mine.');
  });

  it.each(['', '-1', 'x', '9', '9'.repeat(15)])('is needed > a form has %j', async (version) => {
    const id = await inbox.held();
    for (const action of ['take', 'erase']) expect((await inbox.press(id, action, { version })).status).toBe(409);
    expect(await stored(id)).toMatchObject({ version: 0, takenBy: null });
  });

  it('no longer takes a press for the second one > another user, event, value or minute', async () => {
    const id = await inbox.held();
    const press = async (action: string, body: object, user?: string) =>
      (await inbox.press(id, action, { ...body, version: '0' }, user)).status;
    const note = { note: 'Called.' };
    expect([await press('note', note), await press('note', note)]).toEqual([303, 303]);
    expect([await press('note', note, 'bo'), await press('take', {})]).toEqual([409, 409]);
    expect(await press('note', { note: 'Called twice.' })).toBe(409);
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000);
    expect(await press('note', note)).toBe(409);
    expect(await inbox.eventsOf(id)).toEqual([['note', 'ada']]);
  });
});

describe('inbox > mail', () => {
  it("waiting > shows the server's words, and is sent now", async () => {
    const id = await waiting();
    const page = await pageOf(id);
    const nextTry = submission.nextTry({ time: '.*', zone: zoneText(stack.settings.TIME_ZONE) });
    expect(page).toMatch(new RegExp(`bg-signal-wash"><p>${nextTry}</p>\\s*<details[^]*>451 `));
    expect(says(page, `${submission.sendNow}</button>`, `${submission.giveUp}</button>`)).toEqual([true, true]);
    await inbox.press(id, 'send-now');
    await stack.delivered(id);
  });
});

describe('inbox > another mailbox', () => {
  const mailboxLine = (mailbox: string) => submission.mailbox({ mailbox });
  const mailsTo = (id: string) =>
    stack.mail.received
      .filter(({ text }) => text?.includes(id))
      .map((mail) => [[mail.to].flat()[0]?.text, mail.messageId, mail.text ?? ''] as const);

  it('gets a mail of its own, which says who has sent it on', async () => {
    const id = await inbox.delivered({ service: OTHER_SERVICE });
    expect(await pageOf(id)).toContain(mailboxLine(SAP));
    const to = stack.settings.SALES_INBOX;
    await inbox.press(id, 'mark', { as: 'done' });
    for (const [action, body, user] of [
      ['send', { to }, 'sam'],
      ['resend', {}, 'bo'],
    ] as const) {
      await inbox.press(id, action, body, user);
      await stack.delivered(id);
    }
    const mails = mailsTo(id);
    expect(mails.map(([mailbox]) => mailbox)).toEqual([SAP, to, to]);
    expect(new Set(mails.map(([, messageId]) => messageId)).size).toBe(3);
    const sentence = `${words.mails.submission.sentOn({ name: 'sam' })}\n`;
    expect(mails.map(([, , text]) => text.includes(sentence))).toEqual([false, true, true]);
    expect(says(await pageOf(id), mailboxLine(to))).toEqual([true]);
    expect(await inbox.statusesOf(id)).toEqual(['delivered']);
  });

  it.each([
    ['sam', 'contact', 'HR_INBOX'],
    ['hana', 'application', 'SALES_INBOX'],
  ] as const)('of another department needs a tick, with what it means > %s', async (user, form, name) => {
    const to = stack.settings[name];
    const id = form === 'contact' ? await inbox.delivered() : await storeApplication(stack, BYTES);
    await stack.delivered(id);
    const before = await stored(id);
    for (const confirmed of ['', 'no', to])
      expect((await inbox.press(id, 'send', { to, confirmed }, user)).status).toBe(400);
    expect(await stored(id)).toEqual(before);
    const [{ noun }, { nouns }] =
      form === 'contact' ? [contact.words, applicationForm.words] : [applicationForm.words, contact.words];
    const tick = new RegExp(`name="confirmed" value="yes" required>${submission.otherDepartment({ noun, nouns })}`);
    expect(await pageOf(id, user)).toMatch(tick);
    const { headers } = await inbox.press(id, 'send', { to, back: '/inbox?q=ada', confirmed: 'yes' }, user);
    expect(headers['location']).toBe(`/inbox/${id}?back=%2Finbox%3Fq%3Dada`);
    expect(await pageOf(id, 'ada')).toContain(history['sent on']({ mailbox: to, by: by(user) }));
  });

  it('takes it out of the inbox of the role that sends it back', async () => {
    const { SALES_INBOX, HR_INBOX } = stack.settings;
    const id = await inbox.delivered();
    await setColumns(stack.database, id, { recipient: HR_INBOX });
    const { status, text } = await inbox.press(id, 'send', { to: SALES_INBOX }, 'hana');
    expect([status, titleOf(text)]).toEqual([200, submission.sent({ mailbox: SALES_INBOX })]);
    expect((await inbox.call(`/inbox/${id}`, 'hana')).status).toBe(404);
  });

  it.each(['eve@evil.example', '', `${SAP}\r\nBcc: e@evil.example`])('is one of the settings > %j', async (to) => {
    const id = await inbox.delivered();
    expect((await inbox.press(id, 'send', { to, confirmed: 'yes' })).status).toBe(400);
  });
});

it('inbox > erasure > leaves nothing, and is logged with user and reference', async () => {
  const logged = jest.spyOn(Logger.prototype, 'log');
  const id = await inbox.heldApplication();
  const key = (await stored(id))?.resume?.key ?? '';
  const { status, text } = await inbox.press(id, 'erase', {}, 'hana');
  expect([status, titleOf(text)]).toEqual([200, submission.erased]);
  expect(await stack.stateOf(id)).toBeUndefined();
  await expect(stack.files.open({ key, size: 0, sha256: '' })).rejects.toThrow();
  const lines = logged.mock.calls.map(([line]) => line as { event?: string });
  expect(lines.filter(({ event }) => event === 'erased')).toEqual([{ event: 'erased', reference: id, by: 'hana' }]);
  // The second press finds nothing any more.
  expect((await inbox.press(id, 'erase', {}, 'hana')).status).toBe(404);
});

describe('inbox > page of a submission', () => {
  it('says what the mail server said', async () => {
    const said = new RegExp(`title="${submission.serverSaid}">${history.delivered}</summary><p[^>]*>250 `);
    expect(await pageOf(await inbox.delivered())).toMatch(said);
  });

  it('answers and calls as the mail does', async () => {
    const id = await inbox.held({
      email: 'ada+x@visitor.example',
      phone: '+351 (0) 912 345 678',
      service: OTHER_SERVICE,
    });
    const subject = encodeURIComponent(`${fill(contact.words.answer, { topic: OTHER_SERVICE })} (${id})`);
    const page = await pageOf(id);
    expect(page).toContain(`href="mailto:ada%2Bx@visitor.example?subject=${subject}&#38;body=`);
    expect(page).toContain('href="tel:+351912345678"');
    expect(await pageOf(await inbox.held({ phone: 'ask for Ada' }))).not.toContain('tel:');
  });

  it('shows markup and direction marks of visitors as text', async () => {
    const nasty = `<script>alert(1)</script>"' onfocus=x \u202Egnp.exe`;
    const id = await inbox.held({
      name: nasty,
      phone: nasty,
      message: nasty,
      email: '"<b>"@x.example',
      service: nasty,
    });
    for (const path of [`/inbox/${id}`, '/inbox', `/inbox?q=${encodeURIComponent(nasty)}`]) {
      const text = await inbox.get(path);
      expect(text.match(/<script[^>]*>/g)).toEqual(['<script src="/inbox-keys.js" defer>']);
      expect(/<[^>]*onfocus/.test(text.replace(/"[^"]*"/g, '""'))).toBe(false);
      expect(text.includes('&#60;script&#62;')).toBe(true);
    }
    for (const [, href] of (await pageOf(id)).matchAll(/href="([^"]*)"/g))
      expect(href).toMatch(/^(?:\/inbox|\/site\.css|\/mark\.svg|#site-content|mailto:[^<>" ]+$)/);
  });
});
