import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, expect, jest } from '@jest/globals';
import { ApiServer } from '../../test/api-server.ts';
import { describeEachEngine } from '../../test/each-engine.ts';
import { age, setColumns, storeEnquiry } from '../../test/submissions.ts';
import { MINUTE_MS } from '../settings/durations.ts';
import { TaskRunner } from '../outbox/task-runner.ts';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import { HealthController } from './health.controller.ts';
import { StorageHealth } from './storage-health.service.ts';

/** There is no Redis, and no worker runs. */
const REDIS_URL = 'redis://127.0.0.1:1';

let api: ApiServer;

afterEach(() => api.close());

const ask = () => fetch(`${api.url}/healthz/deliveries`);
const answer = async () => {
  api.app.get(HealthController).cacheMs = 0;
  const response = await ask();
  return [response.status, await response.text()];
};
const OK = [200, 'ok\n'];
const LATE = [503, 'late\n'];

describeEachEngine('GET /healthz/deliveries on %s', (engine) => {
  beforeEach(async () => {
    Logger.overrideLogger(false);
    const settings = { DATABASE_URL: engine.url, RESUMES_URL: `file:${engine.folder}/resumes` };
    api = await ApiServer.start(REDIS_URL, settings);
  });

  engine.it('answers late > a submission is pending for 10 minutes and no worker runs', async () => {
    expect(await answer()).toEqual(OK);
    const id = await storeEnquiry(api);
    await age(api.database, id, 10 * MINUTE_MS - 5_000);
    expect(await answer()).toEqual(OK);
    await age(api.database, id, 5_000);
    expect(await answer()).toEqual(LATE);
    // It waits for a mail server, and its next attempt is later.
    await setColumns(api.database, id, { attempts: 3, nextAttemptAt: Date.now() + 10 * MINUTE_MS });
    expect(await answer()).toEqual(LATE);
  });

  engine.it('answers ok > an old submission is sent again, delivered, failed or quarantined', async () => {
    const ids = await Promise.all([1, 2, 3, 4].map(() => storeEnquiry(api)));
    for (const [at, id] of ids.entries()) {
      await age(api.database, id, 60 * MINUTE_MS);
      const state = ['failed', 'delivered', 'failed', 'quarantined'][at];
      await setColumns(api.database, id, { state });
    }
    await api.submissions.requeue(ids.slice(0, 1), { from: ['failed'], event: 'sent again' });
    expect(await answer()).toEqual(OK);
  });

  engine.itOnce('answers late > the database is unavailable, hangs, or cannot be written', async () => {
    const backlog = api.app.get(SubmissionSearchRepository);
    // Otherwise the next check of the storage would set its cause.
    api.app.get(TaskRunner).stop();
    const query = jest.spyOn(backlog, 'pendingLongerThan').mockRejectedValueOnce(new Error('a value'));
    expect(await answer()).toEqual(LATE);
    const deliveries = api.app.get(HealthController);
    const { answerMs } = deliveries;
    deliveries.answerMs = 50;
    query.mockReturnValueOnce(new Promise(() => undefined));
    expect(await answer()).toEqual(LATE);
    deliveries.answerMs = answerMs;
    expect(await answer()).toEqual(OK);
    api.app.get(StorageHealth).cause = 'DATABASE_URL: SQLITE_READONLY';
    expect(await answer()).toEqual(LATE);
  });

  engine.itOnce('asks the database once in 10 s for all callers', async () => {
    const query = jest.spyOn(api.app.get(SubmissionSearchRepository), 'pendingLongerThan');
    expect(api.app.get(HealthController).cacheMs).toBe(10_000);
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    expect(answers[0]?.headers.get('cache-control')).toBe('no-store');
    expect([new Set(answers.map(({ status }) => status)), query.mock.calls.length]).toEqual([new Set([200]), 1]);
  });
});
