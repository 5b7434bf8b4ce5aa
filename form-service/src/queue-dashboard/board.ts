import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { Queue } from 'bullmq';
import type { RequestHandler } from 'express';

/**
 * The pages about the queue, to look at only: what a job needs is in the store, and the operator's commands change it there.
 *
 * @param path where it is mounted
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
