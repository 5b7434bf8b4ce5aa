import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { InboxStack, says, titleOf } from '../../test/inbox-stack.ts';
import { setColumns } from '../../test/submissions.ts';
import { by, upToTime, words } from '../../test/words.ts';

const { history } = words.submissions;
const { errors, list, submission } = words.inbox;
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

let inbox: InboxStack;
let stack: InboxStack['stack'];

beforeAll(async () => {
  const INBOX_LABELS = new Map([
    ['', ['on hold']],
    ['application', ['invited']],
  ]);
  const roles = { sam: 'sales', hana: 'hr', ada: 'all', bo: 'all' };
  inbox = await InboxStack.start(roles, { INBOX_LABELS, RETENTION_DAYS: 30 });
  ({ stack } = inbox);
});

afterAll(() => stack.close());
beforeEach(() => inbox.clear());

const pageOf = (id: string, user?: string) => inbox.get(`/inbox/${id}`, user);
const stored = (id: string) => stack.submissions.find(id);

describe('inbox > taking', () => {
  const parts = [
    `>${submission.take}<`,
    upToTime(submission.yours({ time: '<time' })).replace('<time', ''),
    submission.giveBack,
    upToTime(submission.takenBy({ name: 'sam', time: '<time' })).replace('<time', ''),
    submission.takeOver,
  ];

  it('shows who has it in row and page, until it is given back or taken over', async () => {
    const id = await inbox.held();
    expect(says(await pageOf(id), ...parts)).toEqual([true, false, false, false, false]);
    const { headers } = await inbox.press(id, 'take', { back: '/inbox?q=ada' }, 'sam');
    expect(headers['location']).toBe(`/inbox/${id}?back=%2Finbox%3Fq%3Dada`);
    expect(await inbox.get('/inbox')).toContain(list.taken({ name: 'sam' }));
    expect(says(await pageOf(id, 'sam'), ...parts)).toEqual([false, true, true, false, false]);
    expect(says(await pageOf(id), ...parts)).toEqual([false, false, false, true, true]);
    // Only who has it can give it back.
    expect((await inbox.press(id, 'take', { as: 'free' })).status).toBe(409);
    await inbox.press(id, 'take', { as: 'free' }, 'sam');
    expect(await stored(id)).toMatchObject({ takenBy: null });
    await inbox.press(id, 'take', {}, 'sam');
    await inbox.press(id, 'take');
    expect(await stored(id)).toMatchObject({ takenBy: 'ada' });
  });

  it.each(['done', 'spam'])('ends, and is not offered > it is %s', async (as) => {
    const id = await inbox.held();
    await inbox.press(id, 'take', {}, 'sam');
    await inbox.press(id, 'mark', { as });
    expect(says(await pageOf(id), ...parts)).toEqual([false, false, false, false, false]);
    expect((await inbox.press(id, 'take')).status).toBe(409);
    await inbox.press(id, 'undo');
    expect(await stored(id)).toMatchObject({ takenBy: null, takenAt: null });
  });
});

describe('inbox > labels', () => {
  const choicesOf = async (id: string) =>
    Array.from(
      (await pageOf(id)).matchAll(/name="(add|remove)" value="([^"]*)" aria-pressed="(\w+)"/g),
      ([, ...choice]) => choice.join(' '),
    );

  it('are those of the form, added and removed by a press each, with a line of history', async () => {
    const [id, enquiry] = [await inbox.heldApplication(), await inbox.held()];
    expect(await choicesOf(enquiry)).toEqual(['add on hold false']);
    expect((await inbox.press(enquiry, 'label', { add: 'invited' })).status).toBe(400);
    expect(await choicesOf(id)).toEqual(['add on hold false', 'add invited false']);
    for (const add of ['invited', 'on hold']) await inbox.press(id, 'label', { add }, 'hana');
    expect(await stored(id)).toMatchObject({ labels: '\ninvited\non hold\n', version: 2 });
    expect(await inbox.get('/inbox')).toMatch(/>invited<\/bdi><bdi[^>]*>on hold<\/bdi>/);
    await inbox.press(id, 'label', { remove: 'invited' });
    expect(await choicesOf(id)).toEqual(['remove on hold true', 'add invited false']);
    const page = await pageOf(id);
    expect(page).toContain(history.labelled({ label: 'on hold', by: by('hana') }));
    expect(page).toContain(history['label removed']({ label: 'invited', by: by('ada') }));
  });

  it('that have left the settings stay, and can only be removed', async () => {
    const id = await inbox.heldApplication();
    await setColumns(stack.database, id, { labels: '\nformer\n' });
    expect(await choicesOf(id)).toContain('remove former true');
    await inbox.press(id, 'label', { remove: 'former' });
    expect((await inbox.press(id, 'label', { add: 'former' })).status).toBe(400);
    expect((await stored(id))?.labels).toBe('');
  });
});

describe('inbox > reminder', () => {
  const isNotice = async (id: string) => /class="[^"]* notice [^"]*"><p role="status">/.test(await pageOf(id));

  it('is shown in row and page, is a notice from its day on, and is moved and removed', async () => {
    const id = await inbox.held();
    await inbox.press(id, 'remind', { on: dayIn(2) });
    for (const text of [await inbox.get('/inbox'), await pageOf(id)])
      expect(text).toContain(`<time datetime="${dayIn(2)}">`);
    expect([(await stored(id))?.remindAt, await isNotice(id)]).toEqual([Date.parse(dayIn(2)), false]);
    await inbox.press(id, 'remind', { on: dayIn(0) });
    expect(await isNotice(id)).toBe(true);
    await inbox.press(id, 'remind');
    const page = await pageOf(id);
    expect(says(page, submission.removeReminder, history.reminderRemoved({ by: by('ada') }))).toEqual([false, true]);
    expect((await stored(id))?.remindAt).toBeNull();
  });

  it.each([
    ['quarantined', { state: 'quarantined' }, 90],
    ['delivered', { state: 'delivered' }, 30],
    ['spam', { handled: 'spam', handledAt: Date.now(), handledBy: 'bo' }, 30],
  ])('is possible from today to the day of deletion > %s', async (_state, columns, days) => {
    const id = await inbox.held();
    await setColumns(stack.database, id, columns);
    expect(await pageOf(id)).toContain(`min="${dayIn(0)}" max="${dayIn(days)}"`);
    for (const on of [dayIn(-1), dayIn(days + 1), '2026-02-30', '']) {
      const { status, text } = await inbox.press(id, 'remind', { on });
      expect([on, status, titleOf(text), (await stored(id))?.remindAt]).toEqual([on, 400, errors.day, null]);
    }
    for (const on of [dayIn(0), dayIn(days)]) {
      await inbox.press(id, 'remind', { on });
      expect((await stored(id))?.remindAt).toBe(Date.parse(on));
    }
  });

  it('begins with the day of the time zone, and names the list > there is no digest', async () => {
    const id = await inbox.held();
    const parts = [submission.reminderInList, submission.reminderInDigest];
    expect(says(await pageOf(id), ...parts)).toEqual([false, true]);
    // Three hours to the west of UTC, so that the day begins at 03:00 UTC.
    jest.replaceProperty(stack.settings, 'TIME_ZONE', 'America/Sao_Paulo');
    jest.replaceProperty(stack.settings, 'DIGEST_AT', '');
    const first = new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10);
    await inbox.press(id, 'remind', { on: first });
    expect((await stored(id))?.remindAt).toBe(Date.parse(`${first}T03:00:00Z`));
    const page = await pageOf(id);
    expect(says(page, `min="${first}"`, `<time datetime="${first}">`, ...parts)).toEqual([true, true, true, false]);
  });
});

describe('inbox > note', () => {
  it('is shown with user and time, as text, in page, row, search and CSV', async () => {
    const id = await inbox.held();
    // Cells of a spreadsheet are pasted with tabs between them.
    await inbox.press(id, 'note', { note: `<b>Called</b>\r\n{{name}}\0\ton Monday` }, 'sam');
    await inbox.press(id, 'note', { note: 'é'.repeat(500) });
    await inbox.press(id, 'note', { note: ' \r\n ' });
    const page = await pageOf(id);
    const shown = page.matchAll(
      /<time [^>]*>[^<]+<\/time><div[^>]*><b><bdi>(\w+)<\/bdi><\/b> <span[^>]*>(.*?)<\/span><\/div>/g,
    );
    expect(Array.from(shown, ([, user, text]) => [user, text])).toEqual([
      ['sam', '&#60;b&#62;Called&#60;/b&#62;<br>{{name}} on Monday'],
      ['ada', 'é'.repeat(500)],
    ]);
    // The row of the list has the latest note.
    expect(await inbox.get('/inbox')).toMatch(new RegExp(`${list.note}</b> ééé`));
    expect(await inbox.get('/inbox?q=called+monday')).toContain(`/inbox/${id}`);
    const csv = await inbox.get('/inbox/export.csv');
    expect(csv).toMatch(/"[\d-]+T[\d:.]+Z sam: <b>Called<\/b>\n\{\{name\}\} on Monday\n[\d-]+T[\d:.]+Z ada: é+"/);
  });

  it.each([
    ['it is too long', {}, submission.noteTooLong({ length: 524, max: 500 })],
    ['it is of an older page', { version: '7' }, errors.changed],
  ])('is shown for copying > %s', async (_what, rest: { readonly version?: string }, why) => {
    const id = await inbox.held();
    const note = `<b>${'x'.repeat(rest.version ? 400 : 521)}`;
    const { status, text } = await inbox.press(id, 'note', { note, back: '/inbox?q=ada', ...rest });
    expect([status, await inbox.eventsOf(id)]).toEqual([409, []]);
    expect(says(text, why, `>${note.replace('<b>', '&#60;b&#62;')}</textarea>`)).toEqual([true, true]);
    expect(text).toContain(`href="/inbox/${id}?back=%2Finbox%3Fq%3Dada#note"`);
  });

  it('has up to 500 characters, and up to the longest draft of the page, in any script', async () => {
    const id = await inbox.held();
    const max = Number(/<textarea[^>]*maxlength="(\d+)"/.exec(await pageOf(id))?.[1]);
    // The browser counts UTF-16 units.
    for (const [draft, status] of [
      ['字'.repeat(500), 303],
      ['🪁'.repeat(500), 303],
      ['字'.repeat(max), 409],
      ['x'.repeat(20_000), 413],
    ] as const)
      expect([draft.length, (await inbox.press(id, 'note', { note: draft })).status]).toEqual([draft.length, status]);
    expect(await inbox.eventsOf(id)).toHaveLength(2);
  });
});
