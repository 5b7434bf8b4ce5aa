import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Worker, type Job } from 'bullmq';
import type { Redis } from 'ioredis';
import { SETTINGS, type RedisSettings, type Settings } from '../config/settings.ts';
import { createRedisClient, KEY_PREFIX } from '../redis/redis-client.ts';
import { ALERT_QUEUE, ALERTS, type AlertJob } from './alerts.service.ts';
import { DeliveryMetrics } from './delivery.metrics.ts';

const TIMEOUT_MS = 5_000;

/** After so many attempts, a 4xx answer means that the receiver will not take this alert. */
const REJECTIONS_MAX = 3;

/**
 * Posts alerts to `ALERT_WEBHOOK_URL` as JSON that Slack, Mattermost, Discord, Teams and Google Chat understand too.
 */
@Injectable()
export class AlertsProcessor implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('Alerts');
  private worker: Worker<AlertJob> | undefined;
  private client: Redis | undefined;

  constructor(
    @Inject(SETTINGS) private readonly settings: RedisSettings & Pick<Settings, 'ALERT_WEBHOOK_URL'>,
    private readonly metrics: DeliveryMetrics,
  ) {}

  onApplicationBootstrap(): void {
    const { ALERT_WEBHOOK_URL: url } = this.settings;
    if (!url) return;
    this.client = createRedisClient(this.settings, { maxRetriesPerRequest: null });
    this.worker = new Worker<AlertJob>(ALERT_QUEUE, (job) => this.post(url, job), {
      connection: this.client,
      prefix: KEY_PREFIX,
      concurrency: 5,
      // A worker may be killed while it posts an alert, however often that happens; the alert must still be posted.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      lockDuration: 3 * TIMEOUT_MS,
      stalledInterval: TIMEOUT_MS,
      skipVersionCheck: true,
      runRetryDelay: 500,
    });
    this.worker.on('error', () => undefined);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.worker?.close();
    this.client?.disconnect();
  }

  /** @throws when the alert was not taken and is tried again */
  private async post(url: string, job: Job<AlertJob>): Promise<void> {
    const status = await answerOf(url, bodyOf(job.data));
    if (status >= 200 && status < 300) return;
    const { kind } = job.data;
    this.log.warn({ event: status === 0 ? 'webhook away' : 'webhook refused', kind, status });
    const isFinal =
      status >= 400 && status < 500 && status !== 408 && status !== 429 && job.attemptsMade + 1 >= REJECTIONS_MAX;
    if (!isFinal && job.attemptsMade + 1 < (job.opts.attempts ?? 1)) throw new Error(`webhook: ${status}`);
    this.log.error({ event: 'alert given up', kind, status });
    this.metrics.alertsLost.inc({ kind });
  }
}

/**
 * The body of a post: `text` is what Slack, Mattermost, Google Chat and Teams show, `content` what Discord shows, and
 * the rest is for programs.
 */
export function bodyOf({ kind, at, instance, count, references }: AlertJob) {
  const more = count > references.length && references.length > 0 ? ` and ${count - references.length} more` : '';
  const named = references.length > 0 ? ` ${references.join(', ')}${more}` : '';
  const text = `Kitewright forms: ${ALERTS[kind]}${named} (${kind}, ${instance})`;
  // Discord refuses more than 2000 characters.
  const content = text.length > 2_000 ? `${text.slice(0, 1_999)}…` : text;
  return {
    text,
    content,
    service: 'kitewright-forms',
    kind,
    at: new Date(at).toISOString(),
    instance,
    count,
    references,
  };
}

/** The status of the answer, or 0 when there is none. */
async function answerOf(url: string, body: object): Promise<number> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  try {
    const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return 0;
  }
}
