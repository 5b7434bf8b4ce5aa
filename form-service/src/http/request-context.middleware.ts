import { hash, randomUUID } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Counter, Histogram } from 'prom-client';
import type { Form } from '../contract/define-form.ts';
import { FORM_KINDS, OPEN_FORMS } from '../contract/forms.ts';
import { Log } from '../observability/log.ts';
import { ERROR_REASONS, type ErrorReason } from './http-error.ts';

const SANE_REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/;

/** Status that nginx logs for a client that closed the connection before the response. */
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

/** Facts about a request, collected while it is served and logged in one line at its end. */
export interface RequestContext {
  readonly requestId: string;
  /** Key of the client, for rate limits and the spam filter. */
  readonly client: string;
  reference?: string;
  /** Whether the submission repeats a stored one. */
  isRepeat?: boolean;
  quarantined?: boolean;
  error?: ErrorReason;
}

/** Returns the context of the request. Creates one for a path without the middleware. */
export function contextOf(response: Response): RequestContext {
  return (response.locals['context'] ??= contextFor(response.req)) as RequestContext;
}

/** Uses the request id of nginx if it is well-formed (log injection). */
function contextFor(request: Request): RequestContext {
  const offered = request.headers['x-request-id'];
  const isSane = typeof offered === 'string' && SANE_REQUEST_ID.test(offered);
  return { requestId: isSane ? offered : randomUUID(), client: clientKey(request.ip) };
}

/** Returns the form that a URL belongs to, if any. */
export function formAt(url: string): Form | undefined {
  const address = url.split('?', 1)[0]?.replace(/\/$/, '');
  return OPEN_FORMS.find(({ path }) => path === address);
}

/** Creates the context of a request. Logs and counts its outcome. */
@Injectable()
export class RequestContextMiddleware implements NestMiddleware {
  private readonly log = new Log('AccessLog');

  use(request: Request, response: Response, next: NextFunction): void {
    const startedAt = performance.now();
    const context = contextOf(response);
    const form = formAt(request.originalUrl)?.kind;
    response.once('close', () => {
      const seconds = (performance.now() - startedAt) / 1000;
      const event = outcomeOf(context, response.writableFinished);
      const status = response.writableFinished ? response.statusCode : CLIENT_CLOSED;
      outcomes.inc({ form: form ?? 'none', outcome: event });
      durations.observe({ form: form ?? 'none' }, seconds);
      const { requestId, reference } = context;
      this.log.log({ event, reference, form, status, durationMs: Math.round(seconds * 1000), requestId });
    });
    next();
  }
}

function outcomeOf(
  { reference, isRepeat, quarantined, error }: RequestContext,
  isAnswered: boolean,
): (typeof OUTCOMES)[number] {
  if (reference && isRepeat) return 'repeated';
  if (reference) return quarantined ? 'quarantined' : 'accepted';
  return isAnswered ? (error ?? 'internal') : 'aborted';
}

/** Groups of 16 bits in the network of an IPv6 subscriber, a /64. */
const GROUPS = 4;

/** Returns the key under which a client is counted: a digest of its IPv4 address or its IPv6 network. */
export function clientKey(address: string | undefined): string {
  return hash('sha256', networkOf(address ?? ''), 'base64url').slice(0, 22);
}

function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const plain = address.replace(/%.*$/, '');
  if (!isIPv6(plain)) return plain;
  // A URL has the short form of an address: lower case, without leading zeros and without an IPv4 address at its end.
  const [before = [], after = []] = new URL(`http://[${plain}]`).hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].slice(0, GROUPS).join(':');
}
