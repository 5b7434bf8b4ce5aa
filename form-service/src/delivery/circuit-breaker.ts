import { setTimeout as pause } from 'node:timers/promises';
import { Logger, type OnModuleDestroy } from '@nestjs/common';

/**
 * The pauses between two probes of a service that is away double up to the second value; its return is noticed soon.
 */
const PROBE_FIRST_MS = 1_000;
const PROBE_MAX_MS = 5_000;

/**
 * The longest pause for a service that answers probes and yet takes nothing, or that refuses us: it could lock us out.
 */
const REFUSED_MAX_MS = 30_000;

/**
 * Opens when a service that deliveries need is away, and probes it with growing pauses until it is back. While the
 * breaker is open nothing is tried, and no attempts are counted: an outage is not the fault of a message.
 */
export abstract class CircuitBreaker implements OnModuleDestroy {
  private readonly log: Logger;
  private readonly stopping = new AbortController();
  private readonly listeners = { open: [] as (() => void)[], close: [] as (() => void)[] };
  private isProbing = false;
  private awayFrom: number | undefined;
  private isRefused = false;
  private probeMs = PROBE_FIRST_MS;

  constructor(readonly service: string) {
    this.log = new Logger(service);
  }

  /** Resolves when the service answers. */
  protected abstract probe(): Promise<void>;

  /** Whether an error means that the service refuses us, rather than that it is away. */
  protected isRejection(_error: unknown): boolean {
    return false;
  }

  get isOpen(): boolean {
    return this.isProbing;
  }

  /**
   * The time since which the service does not work, in milliseconds since the epoch. A service that answers probes and
   * yet takes nothing counts as away until it takes something.
   */
  get awaySince(): number | undefined {
    return this.awayFrom;
  }

  onOpen(listener: () => void): void {
    this.listeners.open.push(listener);
  }

  onClose(listener: () => void): void {
    this.listeners.close.push(listener);
  }

  /** Called when the service did its work, or when nothing waits for it any more. */
  succeeded(): void {
    this.awayFrom = undefined;
    this.probeMs = PROBE_FIRST_MS;
  }

  /** Called when the service could not be used at all. */
  open(cause?: unknown): void {
    this.isRefused = this.awayFrom !== undefined || this.isRejection(cause);
    this.awayFrom ??= Date.now();
    if (this.isProbing || this.stopping.signal.aborted) return;
    this.isProbing = true;
    this.log.warn({ event: 'away' });
    for (const listener of this.listeners.open) listener();
    void this.probeUntilBack().catch(() => undefined);
  }

  /** Probes the service once, and opens the breaker when it does not answer. */
  async check(): Promise<boolean> {
    if (this.isProbing) return false;
    try {
      await this.probe();
      return true;
    } catch (error) {
      this.open(error);
      return false;
    }
  }

  onModuleDestroy(): void {
    this.stopping.abort();
  }

  private async probeUntilBack(): Promise<void> {
    do {
      await pause(this.probeMs, undefined, { signal: this.stopping.signal, ref: false });
      this.probeMs = Math.min(this.probeMs * 2, this.isRefused ? REFUSED_MAX_MS : PROBE_MAX_MS);
    } while (!(await this.answers()));
    this.isProbing = false;
    this.log.log({ event: 'back' });
    for (const listener of this.listeners.close) listener();
  }

  private async answers(): Promise<boolean> {
    return this.probe().then(
      () => true,
      () => false,
    );
  }
}
