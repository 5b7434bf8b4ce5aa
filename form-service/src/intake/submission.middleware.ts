import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Counter, Histogram } from 'prom-client';
import { clientKey } from '../spam/client-key.ts';
import { FORM_KINDS } from '../submissions/submission.ts';
import { ClientLimits } from './client-limits.service.ts';
import { formOf } from './forms.ts';
import { ERROR_REASONS, type ErrorReason } from './http-error.ts';
import { readEnquiry } from './request-body.ts';

const SANE_REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/;

/** The status that nginx logs for a client that went away before its answer. */
const CLIENT_CLOSED = 499;

const OUTCOMES = ['accepted', 'quarantined', 'repeated', ...ERROR_REASONS] as const;

const outcomes = new Counter({
  name: 'kitewright_submissions_total',
  help: 'Requests to submit a form, by how they ended',
  labelNames: ['form', 'outcome'],
});
// Prometheus sees no increase in a series that begins with 1.
for (const form of FORM_KINDS) for (const outcome of OUTCOMES) outcomes.inc({ form, outcome }, 0);

const durations = new Histogram({
  name: 'kitewright_submission_seconds',
  help: 'Time to answer a request to submit a form',
  labelNames: ['form'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30],
});

/** What is known of a request while it is answered. It is written to the access log as one line at the end. */
export interface RequestContext {
  readonly requestId: string;
  /** The key of the client, for its limits and the spam filter. */
  readonly client: string;
  reference?: string;
  /** True when the submission repeats a stored one. */
  repeat?: boolean;
  quarantined?: boolean;
  error?: ErrorReason;
}

/** The context of the request that this response answers; a new one for a path that is not logged. */
export function contextOf(response: Response): RequestContext {
  return (response.locals['context'] ??= contextFor(response.req)) as RequestContext;
}

function contextFor(request: Request): RequestContext {
  const offered = request.headers['x-request-id'];
  const isSane = typeof offered === 'string' && SANE_REQUEST_ID.test(offered);
  return { requestId: isSane ? offered : randomUUID(), client: clientKey(request.ip) };
}

/**
 * What comes before either form's controller: the request gets an id, nginx's where it is well-formed, and its result
 * is logged and counted; the client's limit is checked; the body of an enquiry is read.
 */
@Injectable()
export class SubmissionMiddleware implements NestMiddleware {
  private readonly log = new Logger('AccessLog');

  constructor(private readonly limits: ClientLimits) {}

  async use(request: Request, response: Response, next: NextFunction): Promise<void> {
    const startedAt = performance.now();
    const context = contextOf(response);
    const form = formOf(request.originalUrl);
    response.once('close', () => {
      const seconds = (performance.now() - startedAt) / 1000;
      const event = outcomeOf(context, response.writableFinished);
      const status = response.writableFinished ? response.statusCode : CLIENT_CLOSED;
      outcomes.inc({ form: form ?? 'none', outcome: event });
      durations.observe({ form: form ?? 'none' }, seconds);
      const { requestId, reference } = context;
      this.log.log({ event, reference, form, status, durationMs: Math.round(seconds * 1000), requestId });
    });
    if (request.method === 'POST') {
      await this.limits.countSubmission(context.client);
      if (form === 'contact') request.body = await readEnquiry(request);
    }
    next();
  }
}

function outcomeOf(
  { reference, repeat, quarantined, error }: RequestContext,
  isAnswered: boolean,
): (typeof OUTCOMES)[number] {
  if (reference) return repeat ? 'repeated' : quarantined ? 'quarantined' : 'accepted';
  return isAnswered ? (error ?? 'internal') : 'aborted';
}
