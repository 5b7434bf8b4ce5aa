import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Log } from '../observability/log.ts';
import { deliveryErrorOf, type DeliveryError } from './failure.ts';

/** First and longest pause between two probes of a service that is unavailable (exponential backoff). */
const PROBE_FIRST_MS = 1_000;
const PROBE_MAX_MS = 5_000;

/** Longest pause if the service answers probes but accepts no work, or rejects us: it could lock our account. */
const REFUSED_MAX_MS = 30_000;

/**
 * Circuit breaker of a service that deliveries need. While it is open, no attempt is made or counted, because an outage
 * is not the fault of a message. Probes with exponential backoff (half-open) close it when the service answers.
 */
export class CircuitBreaker extends EventEmitter<{ open: []; close: [] }> {
  private readonly log: Log;
  private readonly stopping = new AbortController();
  private probeMs = PROBE_FIRST_MS;
  private isSlow = false;
  /** Whether the breaker is open, so that no attempt may be made. */
  isOpen = false;
  /**
   * Start of the outage, in milliseconds since the epoch. A service that answers probes is unavailable until it has
   * accepted work.
   */
  unavailableSince: number | undefined;
  /** Time of the latest work that succeeded, in milliseconds since the epoch. */
  private succeededAt = 0;
  /** The latest failure. */
  failure: DeliveryError | undefined;

  /**
   * @param probe resolves if the service answers, and rejects with an error whose words may be logged. The end of the
   *   process aborts its signal.
   */
  constructor(
    service: string,
    private readonly probe: (signal: AbortSignal) => Promise<void>,
  ) {
    super();
    this.log = new Log(service);
  }

  /**
   * Ends the outage: the service accepted work. An open breaker stays as it is, because what is reported here may have
   * begun before the outage; its probes find out when the service is back.
   */
  succeeded(): void {
    this.succeededAt = Date.now();
    this.endOutage();
  }

  /** Ends the outage, because no work waits for the service. */
  endOutage(): void {
    if (this.isOpen) return;
    this.unavailableSince = this.failure = undefined;
    this.probeMs = PROBE_FIRST_MS;
  }

  /**
   * Opens the breaker, because the service could not be used at all. Work that succeeded since contradicts it: then only
   * one connection was refused.
   *
   * @param startedAt start of the use that failed, in milliseconds since the epoch
   * @returns whether the service is unavailable
   */
  open(failure: DeliveryError, startedAt = Date.now()): boolean {
    // A time in the future was written before the clock was set back.
    const isContradicted = this.succeededAt > startedAt && this.succeededAt <= Date.now();
    if (!this.isOpen && isContradicted) return false;
    this.isSlow = failure.area === 'login' || this.unavailableSince !== undefined;
    this.unavailableSince ??= Date.now();
    this.failure = failure;
    if (this.isOpen || this.stopping.signal.aborted) return true;
    this.isOpen = true;
    this.log.warn({ event: 'away', cause: failure.reason });
    this.emit('open');
    void this.probeUntilBack().catch(() => undefined);
    return true;
  }

  /** Probes the service once, and opens the breaker if it does not answer. */
  async check(): Promise<boolean> {
    if (this.isOpen) return false;
    const startedAt = Date.now();
    const failure = await this.failureOfProbe();
    return failure === undefined || !this.open(failure, startedAt);
  }

  stop(): void {
    this.stopping.abort();
  }

  private async probeUntilBack(): Promise<void> {
    let failure: DeliveryError | undefined;
    do {
      await pause(this.probeMs, undefined, { signal: this.stopping.signal, ref: false });
      this.probeMs = Math.min(this.probeMs * 2, this.isSlow ? REFUSED_MAX_MS : PROBE_MAX_MS);
      failure = await this.failureOfProbe();
      this.failure = failure ?? this.failure;
    } while (failure);
    this.isOpen = false;
    this.log.log({ event: 'back' });
    this.emit('close');
  }

  private failureOfProbe(): Promise<DeliveryError | undefined> {
    return this.probe(this.stopping.signal).then(() => undefined, deliveryErrorOf);
  }
}
