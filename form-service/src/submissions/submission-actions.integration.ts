import { expect } from '@jest/globals';
import { describeEachEngine } from '../../test/each-engine.ts';
import { setColumns, storeEnquiry } from '../../test/submissions.ts';
import { readSettings } from '../settings/settings.ts';
import type { Database } from '../database/database.ts';
import { searchOf } from '../inbox/search.ts';
import { submissionPage } from '../inbox/submission-page.ts';
import { HandlingRepository } from './handling.repository.ts';
import { NotificationsRepository } from '../outbox/notifications.repository.ts';
import { ACTIONS, isPossible, SubmissionActions } from './submission-actions.service.ts';
import { SUBMISSION_STATES, type SubmissionState } from './submission.ts';
import { SubmissionsRepository } from './submissions.repository.ts';

type ActionName = keyof typeof ACTIONS;
interface Entry {
  readonly address?: string;
  readonly event?: string;
  readonly posts?: readonly SubmissionState[];
}

const settings = readSettings({
  SUBMISSION_WEBHOOK_URL: 'https://crm.firm.example/',
  RECIPIENTS: 'SAP=sap@firm.net',
  INBOX_LABELS: 'invited, hired',
});
const everything = { forms: ['contact', 'application'] } as const;

/** Stores an enquiry in a state, with a webhook post that was given up. */
async function storeIn(database: Database, state: SubmissionState): Promise<string> {
  const id = await storeEnquiry(
    { submissions: new SubmissionsRepository(database) },
    {},
    { notifications: ['webhook'] },
  );
  // A mail that waits for its next attempt.
  await setColumns(database, id, { state, attempts: 3, nextAttemptAt: Date.now() + 60_000 });
  await database.run((db) => db.updateTable('notifications').set({ state: 'failed' }).execute());
  return id;
}

function actionsOf(database: Database): SubmissionActions {
  return new SubmissionActions(
    settings,
    new SubmissionsRepository(database),
    new HandlingRepository(database),
    new NotificationsRepository(database),
  );
}

/** Runs an action like the inbox or a command. @returns whether it did anything to the mail, the mark or the row */
async function act(database: Database, action: ActionName, id: string): Promise<boolean> {
  const [actions, handling] = [actionsOf(database), new HandlingRepository(database)];
  if (action === 'giveUp') return handling.giveUp(id, 'ada');
  if (action === 'mark') return (await actions.mark([id], everything, 'done', 'ada')) !== undefined;
  const to = action === 'handOver' ? 'sap@firm.net' : undefined;
  const { mails, posts } = await actions.send(action, [id], 'ada', to);
  return action === 'repost' ? posts.length > 0 : mails.length > 0;
}

describeEachEngine('actions on %s', ({ it, open }) => {
  it.each(Object.keys(ACTIONS) as ActionName[])(
    '%s > is possible in its states only, as the page shows',
    async (name) => {
      const database = await open();
      for (const state of SUBMISSION_STATES) {
        const id = await storeIn(database, state);
        const before = await new SubmissionsRepository(database).find(id);
        const notifications = await new NotificationsRepository(database).of(id);
        if (!before) throw new Error('not stored');
        const expected = isPossible(name, before);
        const list = {
          search: searchOf(everything, {}, 'ada'),
          neighbours: { rows: [], newer: undefined, older: undefined },
          marked: undefined,
        };
        const context = { notifications, others: 0, ...list, settings };
        const frame = { company: 'Firm', user: { name: 'ada', role: 'all', hash: '' } } as const;
        const shown = submissionPage(frame, before, context);
        const { address, event, posts = [] } = ACTIONS[name] as Entry;
        if (address !== undefined)
          expect([name, state, shown.includes(`formaction="/inbox/${id}/${address}"`)]).toEqual([
            name,
            state,
            expected,
          ]);
        expect([name, state, await act(database, name, id)]).toEqual([name, state, expected]);
        const after = await new SubmissionsRepository(database).find(id);
        if (expected && event) expect(after?.history).toContain(`"event":"${event}"`);
        if (!expected) expect(after).toMatchObject({ state, attempts: 3, handled: null });
        const [post] = await new NotificationsRepository(database).of(id);
        const isPosted = posts.includes(state);
        if (after) expect([name, state, post?.state]).toEqual([name, state, isPosted ? 'pending' : 'failed']);
        if (isPosted && !expected) expect(after?.history).toContain('"event":"posted again"');
      }
    },
  );

  it('repeats all given-up posts but those of the quarantine', async () => {
    const database = await open();
    const ids: Partial<Record<SubmissionState, string>> = {};
    for (const state of SUBMISSION_STATES) ids[state] = await storeIn(database, state);
    const { quarantined, ...others } = ids;
    expect((await actionsOf(database).repostAll('ada')).toSorted()).toEqual(Object.values(others).toSorted());
    const [post] = await new NotificationsRepository(database).of(quarantined ?? '');
    expect(post?.state).toBe('failed');
  });
});
