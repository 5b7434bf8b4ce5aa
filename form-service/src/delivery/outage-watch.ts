import { setTimeout as wait } from 'node:timers/promises';
import { Logger, type OnModuleDestroy } from '@nestjs/common';

/** Pause between two probes of a service that is away: its return is seen within 2 s. */
const PROBE_MS = 1_000;

/** Longest pause, for a service that answers probes and yet takes nothing. */
const PROBE_MAX_MS = 30_000;

/**
 * Watches a service that deliveries need. An outage is the service's, not a message's: while it is away nothing is
 * attempted, and when it is back everything that was held goes out at once instead of waiting out its own pause.
 */
export abstract class OutageWatch implements OnModuleDestroy {
  private readonly log: Logger;
  private readonly stopping = new AbortController();
  private away: Date | undefined;
  /** Returns since the service last did its work: the sign of one that is only seemingly back. */
  private vainReturns = 0;

  /** @param pause resolves after so many milliseconds, rejects at the signal */
  constructor(
    readonly service: string,
    private readonly pause: (ms: number, value: undefined, options: { signal: AbortSignal }) => Promise<unknown> = wait,
  ) {
    this.log = new Logger(service);
  }

  /** Resolves when the service answers. */
  protected abstract probe(): Promise<void>;

  /** Lets everything start that was held. */
  protected abstract releaseHeld(): Promise<void>;

  /** Whether the service refuses us rather than being away: then probing each second would only lock us out. */
  protected abstract isRefusal(error: unknown): boolean;

  get isAway(): boolean {
    return this.away !== undefined;
  }

  /** Since when. */
  get awaySince(): Date | undefined {
    return this.away;
  }

  /** The service did its work. */
  reportSuccess(): void {
    this.vainReturns = 0;
  }

  /** The service could not be used at all. */
  reportOutage(reason: unknown): void {
    if (this.away || this.stopping.signal.aborted) return;
    this.away = new Date();
    this.log.warn({ event: 'away' });
    void this.waitForReturn(reason).catch(() => undefined);
  }

  /** Something broke that may or may not be an outage. */
  async check(): Promise<void> {
    if (this.away) return;
    try {
      await this.probe();
    } catch (error) {
      this.reportOutage(error);
    }
  }

  onModuleDestroy(): void {
    this.stopping.abort();
  }

  private async waitForReturn(reason: unknown): Promise<void> {
    let error = reason;
    do {
      await this.pause(this.pauseAfter(error), undefined, { signal: this.stopping.signal });
      error = await this.probe().then(
        () => undefined,
        (failure: unknown) => failure,
      );
    } while (error !== undefined);
    this.vainReturns++;
    this.away = undefined;
    this.log.log({ event: 'back' });
    await this.releaseUntilDone();
  }

  private pauseAfter(error: unknown): number {
    return this.isRefusal(error) ? PROBE_MAX_MS : Math.min(PROBE_MS * 2 ** this.vainReturns, PROBE_MAX_MS);
  }

  /** Redis may be away too. And a job that was being put off when the service came back is caught by a second release. */
  private async releaseUntilDone(): Promise<void> {
    let releases = 0;
    while (releases < 2 && !this.away) {
      try {
        await this.releaseHeld();
        releases++;
      } catch (error) {
        this.log.warn({ event: 'held deliveries not released yet', cause: error instanceof Error ? error.name : 'unknown' });
      }
      await this.pause(PROBE_MS, undefined, { signal: this.stopping.signal });
    }
  }
}
