import { globSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FORM_KINDS } from '../contract/forms.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { recorded } from '../../test/recorded-statements.ts';
import { leaseOf, newEnquiry, setColumns, storeEnquiry } from '../../test/submissions.ts';
import { NotificationsRepository } from '../outbox/notifications.repository.ts';
import { DigestsRepository } from '../outbox/digests.repository.ts';
import { HandlingRepository } from '../submissions/handling.repository.ts';
import { topicKey } from '../submissions/search-terms.ts';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import type { Scope } from '../submissions/scope.ts';
import { STATUSES, SUBMISSION_STATES } from '../submissions/submission.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { Database } from './database.ts';
import { ACTIONS } from '../submissions/submission-actions.service.ts';
import { SERVICE } from '../../test/services.ts';

const SOURCES = new URL('..', import.meta.url);

const TOPIC = topicKey(SERVICE);

/** Everything, one form, one form with what was handed over to two mailboxes, and what goes to one mailbox. */
const SCOPES: readonly Scope[] = [
  { forms: FORM_KINDS },
  { forms: ['application'] },
  { forms: ['contact'], mailboxes: ['sales@firm.net', 'sap@firm.net'] },
  {
    forms: [],
    mailboxes: ['sap@firm.net'],
    routes: [
      { form: 'contact', topic: TOPIC },
      { form: 'application', except: [topicKey('SAP Developer')] },
    ],
    recipients: ['sales@firm.net', 'sap@firm.net'],
  },
];

/** Functions that call every method of a repository. Add new repositories and methods here. */
const EXERCISES: Readonly<Record<string, (database: Database) => Promise<object>>> = {
  async SubmissionsRepository(database) {
    const repository = observed(new SubmissionsRepository(database));
    const [id, other] = [await storeEnquiry({ submissions: repository }), newEnquiry()];
    await repository.insert({ ...other, notifications: ['webhook'] });
    await repository.find(id);
    for (const scope of SCOPES) await repository.find(id, scope);
    await repository.due();
    await repository.waiting();
    const lease = await leaseOf(repository, id);
    await repository.renew(lease);
    await repository.record(id, { event: 'downloaded' });
    await repository.endLease(lease, { state: 'failed', attempts: 1 });
    await repository.requeue([id], { from: ['failed'], event: 'sent again', notifications: ['webhook'] });
    await repository.erase([id]);
    await repository.deleteOlder({ mark: 'spam' }, 1_000);
    await repository.deleteOlder({ states: ['failed', 'quarantined'] }, 1_000);
    return repository;
  },

  async SubmissionSearchRepository(database) {
    const repository = observed(new SubmissionSearchRepository(database));
    const id = await storeEnquiry({ submissions: new SubmissionsRepository(database) });
    // A search has a first, a middle and a last part.
    repository.searchedRows = 1;
    for (const receivedAt of [1, 2])
      await setColumns(database, await storeEnquiry({ submissions: new SubmissionsRepository(database) }), {
        receivedAt,
      });
    await setColumns(database, id, { labels: '\ninvited\nhired\n', receivedAt: 3 });
    expect(await repository.labels({ forms: FORM_KINDS }, [])).toEqual(['invited', 'hired']);
    for await (const _ of repository.select({ states: ['failed', 'delivered'], stateUntil: Date.now() }));
    for await (const _ of repository.select({ states: SUBMISSION_STATES, email: 'ada@visitor.example' }));
    for (const scope of SCOPES) {
      const before = { receivedAt: Date.now(), id };
      for (const statuses of [STATUSES, SUBMISSION_STATES, ...STATUSES.map((one) => [one])])
        await repository.newest({ ...scope, statuses, before }, 50);
      await repository.newest({ ...scope, statuses: ['failed', 'quarantined'], since: Date.now() - 86_400_000 }, 50);
      await repository.newest({ ...scope, statuses: SUBMISSION_STATES }, 50, 5_000);
      await repository.count({ ...scope, statuses: ['failed', 'quarantined'], since: Date.now() - 86_400_000 });
      for (const filter of [{ topic: TOPIC }, { takenBy: 'ada' }]) {
        await repository.newest({ ...scope, ...filter, statuses: SUBMISSION_STATES, before }, 50, 50);
        await repository.count({ ...scope, ...filter, statuses: SUBMISSION_STATES }, 10_001);
      }
      await repository.reminded(scope, 5);
      const filter = { ...scope, statuses: SUBMISSION_STATES, since: 0 };
      for (const own of [{}, { topic: TOPIC }, { label: 'invited' }, { takenBy: 'ada', label: 'hired' }])
        for await (const _ of repository.positions({ ...filter, ...own }, ['ada']));
    }
    const [found] = await repository.findAll([id]);
    if (!found) throw new Error('The submission is missing.');
    for (const scope of SCOPES) await repository.countOthers(found, scope);
    for await (const _ of repository.reminders(1, Date.now()));
    for await (const _ of repository.rows());
    await repository.fileKeys([id]);
    await repository.oldestAt();
    await repository.backlog();
    await repository.pendingLongerThan(1_000);
    return repository;
  },

  async HandlingRepository(database) {
    const repository = observed(new HandlingRepository(database));
    for (const scope of SCOPES) {
      await repository.mark(['KW-0'], { from: ACTIONS.mark.from, scope: scope, as: 'spam', by: 'ada', at: 1 });
      await repository.countMarked('ada', 1, scope);
      await repository.unmark('ada', { at: 1, scope });
    }
    await repository.unmark('ada', { id: 'KW-0' });
    await repository.latestMark('ada', 'done');
    await repository.take('KW-0', 'ada', 1);
    await repository.giveBack('KW-0', 'ada', 1);
    await repository.label({ id: 'KW-0', labels: '' }, 'invited', true, 'ada', 1);
    await repository.remind('KW-0', { on: '2026-12-03', at: 2 }, 'ada', 1);
    await repository.giveUp('KW-0', 'ada', 1);
    await repository.isRepeated('KW-0', { event: 'taken', by: 'ada' });
    const id = await storeEnquiry({ submissions: new SubmissionsRepository(database) });
    await setColumns(database, id, { handled: 'done' });
    await repository.unmark('ada', { id });
    await repository.addNote(id, 'A note.', 'ada');
    for (const now of [1, 2]) await repository.visit('ada', now);
    return repository;
  },

  async NotificationsRepository(database) {
    const repository = observed(new NotificationsRepository(database));
    const submissions = new SubmissionsRepository(database);
    const id = await storeEnquiry({ submissions }, {}, { notifications: ['webhook'] });
    for (const afterMail of [[], FORM_KINDS]) {
      const [notification] = await repository.acquire('webhook', afterMail, 5);
      if (!notification) continue;
      await repository.renew(notification);
      await repository.settle(notification, { state: 'failed', attempts: 1, lastError: null });
    }
    await repository.countFailedPosts();
    await repository.givenUpWithin(3_600_000);
    await repository.requeuePosts(SUBMISSION_STATES);
    await repository.requeuePosts(SUBMISSION_STATES, [id]);
    await repository.of(id);
    return repository;
  },

  async DigestsRepository(database) {
    const repository = observed(new DigestsRepository(database));
    await repository.begin('sales@firm.net', 1);
    await repository.positions();
    const [lease] = await repository.acquire('sales@firm.net', 1);
    if (!lease) throw new Error('The digest cannot be leased.');
    await repository.settle(lease, { until: 2 });
    return repository;
  },
};

describe('Query plans', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let database: Database;
  let statements: Map<string, readonly unknown[]>;

  beforeEach(async () => {
    folder = await temporaryFolder();
    database = await Database.open(`file:${folder.path}/submissions.db`);
    statements = recorded(database);
  });
  afterEach(async () => {
    await database.close();
    await folder.remove();
  });

  for (const [name, exercise] of Object.entries(EXERCISES))
    it(`${name} > neither scans nor sorts submissions`, async () => {
      const repository = await exercise(database);
      expect(unused(repository)).toEqual([]);
      expect(statements.size).toBeGreaterThan(0);
      expect(plansOf(database, statements).filter(({ faults }) => faults.length > 0)).toEqual([]);
    });

  it('include every repository', async () => {
    const files = globSync('**/*.repository.ts', { cwd: SOURCES });
    const modules = await Promise.all(
      files.map(async (file) => Object.keys((await import(String(new URL(file, SOURCES)))) as object)),
    );
    const names = modules.flat().filter((name) => name.endsWith('Repository'));
    expect(names.toSorted()).toEqual(Object.keys(EXERCISES).toSorted());
  });
});

/** Observes which methods of a repository are called, including private ones. */
function observed<T extends object>(repository: T): T {
  for (const name of methodsOf(repository)) jest.spyOn(repository, name as never);
  return repository;
}

function unused(repository: object): string[] {
  const called = (name: string) => (repository as Record<string, jest.Mock>)[name]?.mock.calls.length;
  return methodsOf(repository).filter((name) => !called(name));
}

function methodsOf(repository: object): string[] {
  const prototype = Object.getPrototypeOf(repository) as object;
  const properties = Object.entries(Object.getOwnPropertyDescriptors(prototype));
  return properties.flatMap(([name, { value }]) =>
    name !== 'constructor' && typeof value === 'function' ? [name] : [],
  );
}

interface Plan {
  readonly sql: string;
  readonly faults: readonly string[];
}

/** Without statistics, as in production, the plan does not depend on the number of rows. */
function plansOf({ file = '' }: Database, statements: ReadonlyMap<string, readonly unknown[]>): Plan[] {
  const connection = new DatabaseSync(file);
  const partial = connection
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql LIKE '%WHERE%'")
    .all();
  // A scan of a partial index is fine: it contains only the few rows of the statement.
  const isFault = (step: string) =>
    /TEMP B-TREE|SCAN submissions/.test(step) && !partial.some(({ name }) => step.endsWith(`INDEX ${String(name)}`));
  const plans = [...statements].map(([sql, parameters]) => {
    const steps = connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...(parameters as SQLInputValue[]));
    const faults = steps.map(({ detail }) => String(detail)).filter(isFault);
    return { sql, faults };
  });
  connection.close();
  return plans;
}
