import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { deliveryErrorOf, type DeliveryError } from './failure.ts';
import { Mailer } from './mailer.service.ts';
import { VirusScanner } from './virus-scanner.service.ts';

/** The pauses between two probes of a service that is away double up to the second value; its return is noticed soon. */
const PROBE_FIRST_MS = 1_000;
const PROBE_MAX_MS = 5_000;

/** The longest pause for a service that answers probes and yet takes nothing, or that refuses us: it could lock us out. */
const REFUSED_MAX_MS = 30_000;

/**
 * Opens when a service that deliveries need is away, and probes it with growing pauses until it is back. While the
 * breaker is open nothing is tried, and no attempts are counted: an outage is not the fault of a message. Its events are
 * `open` and `close`.
 */
export class CircuitBreaker extends EventEmitter<{ open: []; close: [] }> {
  private readonly log: Logger;
  private readonly stopping = new AbortController();
  private probeMs = PROBE_FIRST_MS;
  private isSlow = false;
  /** Whether the service is being probed, so that nothing must be tried. */
  isOpen = false;
  /**
   * The time since which the service does not work, in milliseconds since the epoch. A service that answers probes and
   * yet takes nothing counts as away until it takes something.
   */
  awaySince: number | undefined;
  /** What the latest failure was. */
  failure: DeliveryError | undefined;

  /** @param probe resolves when the service answers, and rejects with an error whose words may be logged */
  constructor(
    service: string,
    private readonly probe: () => Promise<void>,
  ) {
    super();
    this.log = new Logger(service);
  }

  /** Called when the service did its work, or when nothing waits for it any more. */
  succeeded(): void {
    this.awaySince = this.failure = undefined;
    this.probeMs = PROBE_FIRST_MS;
  }

  /** Called when the service could not be used at all. */
  open(failure: DeliveryError): void {
    this.isSlow = failure.isRejection || this.awaySince !== undefined;
    this.awaySince ??= Date.now();
    this.failure = failure;
    if (this.isOpen || this.stopping.signal.aborted) return;
    this.isOpen = true;
    this.log.warn({ event: 'away', cause: failure.reason });
    this.emit('open');
    void this.probeUntilBack().catch(() => undefined);
  }

  /** Probes the service once, and opens the breaker when it does not answer. */
  async check(): Promise<boolean> {
    if (this.isOpen) return false;
    const failure = await this.failureOfProbe();
    if (failure) this.open(failure);
    return failure === undefined;
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
    return this.probe().then(() => undefined, deliveryErrorOf);
  }
}

/** The breakers of the services that deliveries need. While the scanner's is open applications wait, and enquiries do not. */
@Injectable()
export class Breakers implements OnModuleDestroy {
  readonly mailServer: CircuitBreaker;
  readonly scanner: CircuitBreaker;

  constructor(mailer: Mailer, scanner: VirusScanner) {
    this.mailServer = new CircuitBreaker('mail server', () => mailer.verify());
    this.scanner = new CircuitBreaker('virus scanner', () => scanner.ping());
  }

  onModuleDestroy(): void {
    this.mailServer.stop();
    this.scanner.stop();
  }
}
