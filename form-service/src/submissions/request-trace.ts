import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { SubmissionMetrics, type SubmissionOutcome } from './submission-metrics.ts';
import { formOf } from './form-kind.ts';
import type { RefusalReason } from './refusal.ts';

const SANE_REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/;

/** What is known of a request while it is answered; it ends as one line in the log. */
export interface RequestTrace {
  readonly requestId: string;
  reference?: string;
  /** Set when the submission was a repeat of a stored one. */
  repeat?: boolean;
  /** Set when it is our own, and counts as such. */
  canary?: boolean;
  /** Set when it waits in quarantine. */
  setAside?: boolean;
  refusal?: RefusalReason;
}

/** The trace of the request that this response answers; an unwatched one for a path that is not traced. */
export function traceOf(response: Response): RequestTrace {
  return (response.locals['trace'] ??= { requestId: randomUUID() }) as RequestTrace;
}

/** Gives each submission a request id, nginx's where it looks sane, and logs and counts how it ended. */
@Injectable()
export class RequestTracing implements NestMiddleware {
  private readonly log = new Logger('Submission');

  constructor(@Inject(SubmissionMetrics) private readonly metrics: SubmissionMetrics) {}

  use(request: Request, response: Response, next: NextFunction): void {
    const startedAt = performance.now();
    const offered = request.get('X-Request-Id');
    const trace: RequestTrace = { requestId: offered && SANE_REQUEST_ID.test(offered) ? offered : randomUUID() };
    response.locals['trace'] = trace;
    response.setHeader('X-Request-Id', trace.requestId);
    response.once('close', () => {
      const seconds = (performance.now() - startedAt) / 1000;
      const form = trace.canary ? 'canary' : (formOf(request.originalUrl) ?? 'none');
      const outcome = outcomeOf(trace, response.writableFinished);
      this.metrics.count(form, outcome, seconds);
      const { requestId, reference } = trace;
      this.log.log({ event: outcome, reference, form, status: response.statusCode, durationMs: Math.round(seconds * 1000), requestId });
    });
    next();
  }
}

function outcomeOf({ reference, repeat, setAside, refusal }: RequestTrace, isAnswered: boolean): SubmissionOutcome {
  if (reference) return repeat ? 'repeated' : setAside ? 'set-aside' : 'accepted';
  return isAnswered ? (refusal ?? 'internal') : 'aborted';
}
