import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { Queue } from 'bullmq';
import type { RequestHandler } from 'express';

/**
 * The pages of the queue dashboard, which are read-only: the database holds what a job needs, and the operator's
 * commands change it there.
 *
 * @param path where the dashboard is mounted
 */
export function boardOf(queue: Queue, path: string): RequestHandler {
  const serverAdapter = new ExpressAdapter().setBasePath(path);
  const adapter = new BullMQAdapter(queue, {
    readOnlyMode: true,
    description: 'A job holds the reference of a submission, and nothing else.',
  });
  createBullBoard({
    queues: [adapter],
    serverAdapter,
    options: { uiConfig: { boardTitle: 'Kitewright', hideRedisDetails: true } },
  });
  return serverAdapter.getRouter() as RequestHandler;
}
