import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, type BeforeApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { Log } from '../observability/log.ts';
import { Attempt } from './attempt.ts';
import { AttemptInterrupted } from './failure.ts';
import { endsWithin, FINISH_MS, INTERRUPT_MS } from './shutdown.ts';

/** Work on rows that one worker leases at a time. */
export interface Work<Row> {
  /** Length of a lease in milliseconds. It is renewed after each third of it. */
  readonly leaseMs: number;
  /** @returns false if another worker has taken over */
  renew(row: Row): Promise<boolean>;
  /** Works on a row, and writes the result under its lease. */
  run(row: Row, attempt: Attempt): Promise<unknown>;
}

/**
 * Runs work on leased rows: deliveries, notifications, digests and alerts. It renews each lease while its work runs, and
 * ends the work if another worker has taken over. A graceful shutdown waits for all of it, and then interrupts it.
 */
@Injectable()
export class LeasedWork implements OnModuleDestroy, BeforeApplicationShutdown {
  /** Time in which work may finish after a shutdown has begun, in milliseconds. */
  finishMs = FINISH_MS;
  /** Pause between two tries to write a result, in milliseconds. */
  writeRetryMs = 1_000;
  private readonly log = new Log('LeasedWork');
  private readonly attempts = new Set<Attempt>();
  /** Work from the acquisition of its leases to the last result. */
  private readonly rounds = new Set<Promise<unknown>>();
  private readonly interrupted = new AbortController();
  private finishing: Promise<void> | undefined;

  get isStopping(): boolean {
    return this.finishing !== undefined;
  }

  /**
   * Leases rows and works on all of them. Leases none after a shutdown has begun.
   *
   * @throws the first error, after all work has ended
   */
  async run<Row>(acquire: () => Promise<readonly Row[]>, work: Work<Row>): Promise<void> {
    await this.start(acquire, work).ended;
  }

  /**
   * Leases rows and begins to work on them. An error of the work is not reported.
   *
   * @throws the error of the acquisition
   */
  async begin<Row>(acquire: () => Promise<readonly Row[]>, work: Work<Row>): Promise<void> {
    const { leased, ended } = this.start(acquire, work);
    ended.catch(() => undefined);
    await leased;
  }

  /** Ends the attempts that wait for a connection. */
  private endWaiting(): void {
    for (const attempt of this.attempts) if (!attempt.isRunning) attempt.end(new AttemptInterrupted('waiting'));
  }

  /**
   * Writes the result of something that was sent, and retries while the database is unavailable. The lease is renewed
   * meanwhile, because a second attempt would send it again.
   */
  async write<T>(write: () => Promise<T>): Promise<T> {
    const { signal } = this.interrupted;
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (!(error instanceof StorageUnavailableError) || signal.aborted) throw error;
        await pause(this.writeRetryMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** Nest calls this in all modules first, so that all work has the same time to finish. */
  onModuleDestroy(): void {
    this.finishing ??= this.finish();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.finishing;
  }

  private start<Row>(acquire: () => Promise<readonly Row[]>, work: Work<Row>) {
    const leased = this.isStopping ? Promise.resolve([]) : acquire();
    const ended = leased.then((rows) => allEnded(rows.map((row) => this.runOn(row, work))));
    const forget = () => this.rounds.delete(ended);
    this.rounds.add(ended);
    ended.then(forget, forget);
    return { leased, ended };
  }

  private async runOn<Row>(row: Row, work: Work<Row>): Promise<void> {
    const attempt = new Attempt();
    // The shutdown may have begun during the acquisition.
    if (this.isStopping) attempt.end(new AttemptInterrupted('waiting'));
    const renew = async () => {
      const isOurs = await work.renew(row).catch(() => true);
      if (!isOurs) attempt.end(new AttemptInterrupted('lease lost'));
    };
    let renewing: Promise<void> | undefined;
    // One at a time, so that renewals do not pile up while the database hangs.
    const renewOnce = () => void (renewing ??= renew().finally(() => (renewing = undefined)));
    const renewal = setInterval(renewOnce, work.leaseMs / 3);
    this.attempts.add(attempt);
    try {
      await work.run(row, attempt);
    } finally {
      clearInterval(renewal);
      this.attempts.delete(attempt);
    }
  }

  /** A message without a reply yet is sent again, and may arrive twice. */
  private async finish(): Promise<void> {
    this.endWaiting();
    if (await endsWithin(this.finishMs, this.ended())) return;
    this.log.warn({ event: 'ended with attempts in progress', count: this.attempts.size });
    this.interrupted.abort();
    for (const attempt of this.attempts) attempt.end(new AttemptInterrupted('sending'));
    await endsWithin(INTERRUPT_MS, this.ended());
  }

  private ended(): Promise<unknown> {
    return Promise.allSettled(this.rounds);
  }
}

/** Waits until all work has ended, also if some of it fails. @throws the first error */
export async function allEnded(work: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(work);
  await Promise.all(work);
}
