import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, type BeforeApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { Log } from '../observability/log.ts';
import { ATTEMPT_MAX_MS, AttemptInterrupted, type DeliveryError, deliveryErrorOf, GivenUp } from './attempt.ts';
import { endsWithin, FINISH_MS, INTERRUPT_MS, LEASE_MS, PART_WAIT_MS, WAITS_MS } from './leases.ts';

/** Outcome of an attempt: what was sent, or why not. */
export interface Outcome<Sent> {
  /** A pending row is sent again. A failed one waits for a person. */
  readonly state: 'delivered' | 'pending' | 'failed';
  readonly sent?: Sent;
  readonly failure?: DeliveryError;
  /** Number of attempts that count, this one included. */
  readonly attempts: number;
  /** Time until the next attempt of a pending row in milliseconds. */
  readonly pauseMs?: number | undefined;
}

/** Sends one kind of rows: mails, acknowledgements, webhook posts or digests. */
export interface Sender<Row, Sent> {
  /** Number of failed attempts before this one. */
  attemptsOf(row: Row): number;
  /** @returns false if another worker has taken over the lease */
  renew(row: Row): Promise<boolean>;
  /** Sends a row. The signal ends all of its work: the open file, the scan and the connection. @throws any error */
  send(row: Row, signal: AbortSignal): Promise<Sent>;
  /** Writes the outcome under the row's lease, and ends the lease. */
  settle(row: Row, outcome: Outcome<Sent>): Promise<unknown>;
}

/**
 * Transactional outbox: sends leased rows and writes the outcomes. While a row is sent, its lease is renewed; if another
 * worker has taken over, the attempt ends. A graceful shutdown waits for all attempts, and then interrupts them.
 */
@Injectable()
export class Outbox implements OnModuleDestroy, BeforeApplicationShutdown {
  /** Time in which attempts may finish after a shutdown has begun, in milliseconds. */
  finishMs = FINISH_MS;
  /** Pause between two tries to write an outcome, in milliseconds. */
  writeRetryMs = 1_000;
  private readonly log = new Log('Outbox');
  private readonly attempts = new Set<AbortController>();
  /** Work from the acquisition of its leases to the last outcome. */
  private readonly rounds = new Set<Promise<unknown>>();
  private readonly interrupted = new AbortController();
  private finishing: Promise<void> | undefined;

  /**
   * Leases rows and sends all of them. Leases none after a shutdown has begun.
   *
   * @throws the first error of an acquisition or a settlement, after all attempts have ended
   */
  async run<Row, Sent>(acquire: () => Promise<readonly Row[]>, sender: Sender<Row, Sent>): Promise<void> {
    if (this.finishing) return;
    const round = acquire().then((rows) => allEnded(rows.map((row) => this.runOn(row, sender))));
    this.rounds.add(round);
    await round.finally(() => this.rounds.delete(round));
  }

  /** Nest calls this in all modules first, so that all attempts have the same time to finish. */
  onModuleDestroy(): void {
    this.finishing ??= this.finish();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.finishing;
  }

  private async runOn<Row, Sent>(row: Row, sender: Sender<Row, Sent>): Promise<void> {
    const attempt = new AbortController();
    const signal = AbortSignal.any([attempt.signal, AbortSignal.timeout(ATTEMPT_MAX_MS)]);
    const renew = async () => {
      const isOurs = await sender.renew(row).catch(() => true);
      if (!isOurs) attempt.abort(new AttemptInterrupted());
    };
    let renewing: Promise<void> | undefined;
    // One at a time, so that renewals do not pile up while the database hangs.
    const renewOnce = () => void (renewing ??= renew().finally(() => (renewing = undefined)));
    const renewal = setInterval(renewOnce, LEASE_MS / 3);
    this.attempts.add(attempt);
    try {
      const before = sender.attemptsOf(row);
      const outcome = await sender.send(row, signal).then(
        (sent): Outcome<Sent> => ({ state: 'delivered', sent, attempts: before + 1 }),
        // After an abort, the error of the work is only a consequence.
        (error: unknown) => outcomeOf(signal.aborted ? signal.reason : error, before),
      );
      await this.write(() => sender.settle(row, outcome));
    } finally {
      clearInterval(renewal);
      this.attempts.delete(attempt);
    }
  }

  /**
   * Writes an outcome, and retries while the database is unavailable. The lease is renewed meanwhile, because a second
   * attempt would send the message again.
   */
  private async write(write: () => Promise<unknown>): Promise<void> {
    const { signal } = this.interrupted;
    for (;;) {
      try {
        await write();
        return;
      } catch (error) {
        if (!(error instanceof StorageUnavailableError) || signal.aborted) throw error;
        await pause(this.writeRetryMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** A message without a reply yet is sent again, and may arrive twice. */
  private async finish(): Promise<void> {
    const ended = () => Promise.allSettled(this.rounds);
    if (this.attempts.size > 0) this.log.log({ event: 'finishing attempts', count: this.attempts.size });
    if (await endsWithin(this.finishMs, ended())) return;
    this.log.warn({ event: 'ended with attempts in progress', count: this.attempts.size });
    this.interrupted.abort();
    for (const attempt of this.attempts) attempt.abort(new AttemptInterrupted());
    await endsWithin(INTERRUPT_MS, ended());
  }
}

/** Returns what follows from a failed attempt. @param before number of failed attempts before it */
export function outcomeOf(error: unknown, before: number): Outcome<never> {
  const failure = deliveryErrorOf(error);
  const isCounted = failure.kind === 'refused' || failure.kind === 'unexpected';
  if (error instanceof AttemptInterrupted) return { state: 'pending', failure, attempts: before, pauseMs: 0 };
  if (!isCounted) return { state: 'pending', failure, attempts: before, pauseMs: PART_WAIT_MS };
  const pauseMs = failure instanceof GivenUp ? undefined : WAITS_MS[before];
  return { state: pauseMs === undefined ? 'failed' : 'pending', failure, attempts: before + 1, pauseMs };
}

/** Waits until all work has ended, also if some of it fails. @throws the first error */
export async function allEnded(work: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(work);
  await Promise.all(work);
}
