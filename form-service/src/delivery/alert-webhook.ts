import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/env.ts';

const TIMEOUT_MS = 5_000;
const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 60_000;

/** Least time between two posts: what is raised meanwhile goes with the next. */
const INTERVAL_MS = 10_000;

/** References named in one post; the count tells of the others. */
const REFERENCES_MAX = 50;

/** The body of a post. */
export interface AlertPost {
  readonly service: 'kitewright-forms';
  readonly instance: string;
  readonly alerts: readonly { readonly kind: string; readonly count: number; readonly references: readonly string[] }[];
}

interface PendingAlert {
  count: number;
  readonly references: Set<string>;
}

/**
 * Posts alerts as JSON to `ALERT_WEBHOOK_URL`, the first at once and later ones together, until the receiver answers
 * 2xx. Nothing when the URL is unset.
 */
@Injectable()
export class AlertWebhook implements OnModuleDestroy {
  private readonly log = new Logger('AlertWebhook');
  private readonly stopping = new AbortController();
  private waiting = new Map<string, PendingAlert>();
  private sending = false;

  constructor(@Inject(SETTINGS) private readonly settings: Pick<Settings, 'ALERT_WEBHOOK_URL' | 'INSTANCE'>) {}

  post(kind: string, references: readonly string[]): void {
    if (!this.settings.ALERT_WEBHOOK_URL || this.stopping.signal.aborted) return;
    const alert = this.waiting.get(kind) ?? { count: 0, references: new Set() };
    alert.count += Math.max(references.length, 1);
    for (const reference of references) if (alert.references.size < REFERENCES_MAX) alert.references.add(reference);
    this.waiting.set(kind, alert);
    if (!this.sending) void this.sendWaiting(this.settings.ALERT_WEBHOOK_URL).catch(() => undefined);
  }

  onModuleDestroy(): void {
    this.stopping.abort();
  }

  private async sendWaiting(url: string): Promise<void> {
    this.sending = true;
    try {
      while (this.waiting.size > 0) {
        const body = this.takeWaiting();
        await this.sendUntilTaken(url, body);
        await pause(INTERVAL_MS, undefined, { signal: this.stopping.signal, ref: false });
      }
    } finally {
      this.sending = false;
    }
  }

  private takeWaiting(): AlertPost {
    const alerts = [...this.waiting].map(([kind, { count, references }]) => ({ kind, count, references: [...references] }));
    this.waiting = new Map();
    return { service: 'kitewright-forms', instance: this.settings.INSTANCE, alerts };
  }

  private async sendUntilTaken(url: string, body: AlertPost): Promise<void> {
    for (let wait = RETRY_FIRST_MS; !(await this.send(url, body)); wait = Math.min(wait * 2, RETRY_MAX_MS)) {
      await pause(wait, undefined, { signal: this.stopping.signal, ref: false });
    }
  }

  private async send(url: string, body: AlertPost): Promise<boolean> {
    const signal = AbortSignal.any([this.stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const headers = { 'content-type': 'application/json' };
    try {
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal, redirect: 'error' });
      await answer.body?.cancel();
      if (answer.ok) return true;
      this.log.warn({ event: 'webhook refused', status: answer.status });
    } catch {
      this.log.warn({ event: 'webhook away' });
    }
    return false;
  }
}
