import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { canaryKey } from './canary-key.ts';
import { CanaryMetrics } from './canary.metrics.ts';
import { postCanary } from './post-canary.ts';

type CanarySettings = Pick<Settings, 'CANARY_INTERVAL_MINUTES' | 'CANARY_SECRET' | 'CANARY_URL' | 'SITE_URL'>;

/** A submission may take this long to be delivered, whether a visitor or the canary sent it. */
const DELIVERY_LIMIT_MS = 5 * 60_000;

/** A canary that was not accepted is posted again after these pauses, because the site may just be starting. */
const RETRY_FIRST_MS = 2_000;
const RETRY_MAX_MS = 60_000;

/** A canary is sent this long after its moment, so that a timer which fires early does not meet the moment before. */
const START_DELAY_MS = 1_000;

/** The pauses between two checks of whether the canary is delivered. */
const POLL_FIRST_MS = 250;
const POLL_MAX_MS = 5_000;

/**
 * Sends a canary from time to time, as a visitor would, and checks that it is delivered: every part can report that it
 * is fine while nothing arrives. All workers send the canary of the same moment under the same key, so the api stores
 * one, and each worker watches it for itself.
 */
@Injectable()
export class CanaryService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger('Canary');
  private readonly stopping = new AbortController();
  private readonly intervalMs: number | undefined;
  private lastSuccess = Date.now();
  private loop: Promise<void> | undefined;

  constructor(
    @Inject(SETTINGS) private readonly settings: CanarySettings,
    private readonly submissions: SubmissionsRepository,
    private readonly metrics: CanaryMetrics,
  ) {
    this.intervalMs = settings.CANARY_INTERVAL_MINUTES && settings.CANARY_INTERVAL_MINUTES * 60_000;
  }

  onApplicationBootstrap(): void {
    const { CANARY_SECRET: secret, CANARY_URL, SITE_URL } = this.settings;
    if (this.intervalMs === undefined || secret === undefined) return;
    this.metrics.begin(this.intervalMs, this.lastSuccess);
    this.loop = this.run(new URL('/api/contact', CANARY_URL ?? SITE_URL), secret, this.intervalMs);
  }

  /** Whether two canaries in a row did not arrive: one may be late for a reason as small as an update. */
  isOverdue(now = Date.now()): boolean {
    return this.intervalMs !== undefined && now - this.lastSuccess > 2 * this.intervalMs + DELIVERY_LIMIT_MS;
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.loop;
  }

  private async run(url: URL, secret: string, intervalMs: number): Promise<void> {
    let wait = RETRY_FIRST_MS;
    while (!this.stopping.signal.aborted) {
      const at = Math.floor(Date.now() / intervalMs) * intervalMs;
      const outcome = await this.send(url, canaryKey(secret, at / 1_000), Math.min(intervalMs, DELIVERY_LIMIT_MS));
      if (this.stopping.signal.aborted) return;
      this.metrics.attempts.inc({ outcome });
      if (outcome !== 'delivered') this.log.warn({ event: 'canary did not arrive', cause: outcome });
      const untilNext = Math.max(at + intervalMs - Date.now(), 0) + START_DELAY_MS;
      const isStored = outcome === 'delivered' || outcome === 'late';
      await this.pause(isStored ? untilNext : Math.min(wait, untilNext));
      wait = isStored ? RETRY_FIRST_MS : Math.min(wait * 2, RETRY_MAX_MS);
    }
  }

  private async send(
    url: URL,
    key: string,
    limitMs: number,
  ): Promise<'delivered' | 'late' | 'refused' | 'unreachable'> {
    const startedAt = performance.now();
    const answer = await postCanary(url, key, this.stopping.signal);
    if (answer.reference === undefined) return answer.problem;
    const answerMs = performance.now() - startedAt;
    for (let wait = POLL_FIRST_MS; performance.now() - startedAt < limitMs; wait = Math.min(wait * 2, POLL_MAX_MS)) {
      const found = await this.submissions.find(answer.reference).catch(() => undefined);
      if (found?.state === 'delivered') {
        this.lastSuccess = Date.parse(found.since);
        this.metrics.arrived(this.lastSuccess, answerMs + this.lastSuccess - Date.parse(found.receivedAt));
        return 'delivered';
      }
      await this.pause(wait);
      if (this.stopping.signal.aborted) break;
    }
    return 'late';
  }

  private async pause(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}
