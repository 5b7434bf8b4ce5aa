import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { formOf } from './forms.ts';
import type { ErrorReason } from './http-error.ts';
import { IntakeMetrics, type SubmissionOutcome } from './intake.metrics.ts';

const SANE_REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/;

/** The status that nginx logs for a client that went away before its answer. */
const CLIENT_CLOSED = 499;

/** What is known of a request while it is answered. It is written as one line at the end. */
export interface AccessLogEntry {
  readonly requestId: string;
  reference?: string;
  /** True when the submission repeats a stored one. */
  repeat?: boolean;
  quarantined?: boolean;
  error?: ErrorReason;
}

/** The log entry of the request that this response answers; a detached one for a path that is not logged. */
export function logEntryOf(response: Response): AccessLogEntry {
  return (response.locals['logEntry'] ??= { requestId: randomUUID() }) as AccessLogEntry;
}

/** Gives each submission a request id, nginx's where it is well-formed, and logs and counts the result. */
@Injectable()
export class AccessLogMiddleware implements NestMiddleware {
  private readonly log = new Logger('AccessLog');

  constructor(private readonly metrics: IntakeMetrics) {}

  use(request: Request, response: Response, next: NextFunction): void {
    const startedAt = performance.now();
    const offered = request.get('X-Request-Id');
    const entry: AccessLogEntry = { requestId: offered && SANE_REQUEST_ID.test(offered) ? offered : randomUUID() };
    response.locals['logEntry'] = entry;
    response.setHeader('X-Request-Id', entry.requestId);
    response.once('close', () => {
      const seconds = (performance.now() - startedAt) / 1000;
      const form = formOf(request.originalUrl) ?? 'none';
      const event = outcomeOf(entry, response.writableFinished);
      const status = response.writableFinished ? response.statusCode : CLIENT_CLOSED;
      this.metrics.count(form, event, seconds);
      const { requestId, reference } = entry;
      this.log.log({ event, reference, form, status, durationMs: Math.round(seconds * 1000), requestId });
    });
    next();
  }
}

function outcomeOf({ reference, repeat, quarantined, error }: AccessLogEntry, isAnswered: boolean): SubmissionOutcome {
  if (reference) return repeat ? 'repeated' : quarantined ? 'quarantined' : 'accepted';
  return isAnswered ? (error ?? 'internal') : 'aborted';
}
