import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import type { Lease } from '../submissions/submission.ts';
import { LEASE_MS, SubmissionsRepository } from '../submissions/submissions.repository.ts';

import { ScannerUnavailableError } from './clamd.ts';
import { DeliveryMetrics, type AttemptFailureKind } from './delivery.metrics.ts';
import { MailDispatch, type DispatchResult } from './mail-dispatch.service.ts';
import { MailError } from './mail-error.ts';
import { MailServerBreaker } from './mail-server.breaker.ts';
import { pauseBeforeRetry } from './retry-policy.ts';
import { ScannerBreaker } from './scanner.breaker.ts';

/** A result that the database did not take is written again after this pause. */
const WRITE_RETRY_MS = 1_000;

/** A submission whose file could not be read, because its storage is away, is tried again after this pause. */
const STORAGE_PAUSE_MS = 30_000;

/** The reason why an attempt failed. The words are ours, never a server's. */
interface Failure {
  readonly kind: AttemptFailureKind;
  readonly code: string;
}

/**
 * Delivers one submission: leases it, sends it, and writes the result. Whatever a job asks for, only a submission that
 * is due is mailed, and only the holder of its lease writes the result.
 */
@Injectable()
export class DeliveryService implements OnModuleDestroy {
  private readonly log = new Logger('Delivery');
  private readonly stopping = new AbortController();

  constructor(
    private readonly submissions: SubmissionsRepository,
    private readonly dispatch: MailDispatch,
    private readonly mailServer: MailServerBreaker,
    private readonly scanner: ScannerBreaker,
    private readonly metrics: DeliveryMetrics,
  ) {}

  /** @throws StorageUnavailableError when the delivery cannot begin; the submission then stays due */
  async deliver(id: string): Promise<void> {
    if (this.mailServer.isOpen) return;
    const lease = await this.submissions.acquire(id);
    if (!lease) return;
    const renewal = setInterval(() => void this.submissions.renew(lease).catch(() => undefined), LEASE_MS / 3);
    try {
      await this.attempt(lease);
    } finally {
      clearInterval(renewal);
    }
  }

  onModuleDestroy(): void {
    this.stopping.abort();
  }

  private async attempt(lease: Lease): Promise<void> {
    const { submission } = lease;
    const needsScan = this.dispatch.needsScan(submission);
    if (needsScan && this.scanner.isOpen) return void (await this.submissions.release(lease));
    let dispatched: DispatchResult;
    try {
      dispatched = await this.dispatch.dispatch(submission);
    } catch (error) {
      return this.failed(lease, error);
    }
    this.mailServer.succeeded();
    if (needsScan) this.scanner.succeeded();
    const attempts = submission.attempts + 1;
    const isWritten = await this.untilWritten(() => this.submissions.settle(lease, { ...dispatched, attempts }));
    this.report(lease, isWritten ? dispatched.state : 'lease lost', attempts);
  }

  private async failed(lease: Lease, error: unknown): Promise<void> {
    const failure = failureOf(error);
    const { kind, code } = failure;
    if (await this.isOutage(failure, error)) {
      await this.submissions.release(lease, code);
      this.metrics.attemptFailed(kind, true);
      return;
    }
    const isStorage = kind === 'storage';
    const attempts = lease.submission.attempts + (isStorage ? 0 : 1);
    const isFinal = kind === 'permanent' || kind === 'too-large';
    const pauseMs = isFinal ? undefined : isStorage ? STORAGE_PAUSE_MS : pauseBeforeRetry(attempts);
    const { id: reference, requestId } = lease.submission;
    this.log.warn({ event: 'attempt failed', reference, requestId, kind, code, attempts, pauseMs });
    this.metrics.attemptFailed(kind, pauseMs !== undefined);
    if (pauseMs !== undefined) return void (await this.submissions.postpone(lease, { pauseMs, attempts, error: code }));
    const isWritten = await this.submissions.settle(lease, { state: 'failed', attempts, error: code });
    this.report(lease, isWritten ? 'failed' : 'lease lost', attempts);
  }

  /** Whether a service is away, and not only this message refused. Then its circuit breaker is open. */
  private async isOutage({ kind }: Failure, error: unknown): Promise<boolean> {
    if (kind === 'scanner') return !(await this.scanner.check());
    if (kind !== 'server-away') return false;
    this.mailServer.open(error);
    return true;
  }

  /**
   * Writes the result of a mail that was sent, however long the database is away. The lease is kept meanwhile, because
   * a second worker, or a second attempt, would send the mail again.
   */
  private async untilWritten(write: () => Promise<boolean>): Promise<boolean> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (!(error instanceof StorageUnavailableError) || this.stopping.signal.aborted) throw error;
        await pause(WRITE_RETRY_MS, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      }
    }
  }

  private report(
    { submission }: Lease,
    event: DispatchResult['state'] | 'failed' | 'lease lost',
    attempts: number,
  ): void {
    const { form } = submission;
    const seconds = (Date.now() - submission.stateSince) / 1_000;
    this.log.log({ event, reference: submission.id, form, requestId: submission.requestId, attempts, seconds });
    if (event === 'lease lost') return;
    this.metrics.settled.inc({ form, state: event });
    if (event === 'delivered') this.metrics.secondsToDeliver.observe({ form }, seconds);
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof MailError) return { kind: error.kind, code: error.reason };
  if (error instanceof ScannerUnavailableError) return { kind: 'scanner', code: `scanner: ${error.message}` };
  if (error instanceof StorageUnavailableError) {
    // A file that does not exist will not come back by waiting.
    const isMissing = /ENOENT|NoSuchKey/.test(error.message);
    return { kind: isMissing ? 'unexpected' : 'storage', code: error.message };
  }
  const { code, name } = error as NodeJS.ErrnoException;
  return { kind: 'unexpected', code: code ?? name ?? 'unknown' };
}
