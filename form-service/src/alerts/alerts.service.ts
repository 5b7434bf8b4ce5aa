import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { HOUR_MS } from '../config/durations.ts';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { ALERTS, type AlertKind } from '../observability/alert-kinds.ts';
import { Log } from '../observability/log.ts';
import { postAlert, type AlertPost } from './alert-webhook.ts';
import { deliveryMetrics } from '../delivery/delivery.metrics.ts';

for (const kind of Object.keys(ALERTS)) {
  deliveryMetrics.alerts.inc({ kind }, 0);
  deliveryMetrics.alertsLost.inc({ kind }, 0);
}

/** Maximum number of references in a post. Of the others only the number is posted. */
const REFERENCES_MAX = 50;

/** Pause before an active alert is posted again. It doubles with each repeat, up to the maximum. */
const REPEAT_MS = HOUR_MS;
const REPEAT_MAX_MS = 24 * REPEAT_MS;

/** An alert whose condition holds. Its times are those of `performance.now()`, which no change of the clock moves. */
interface ActiveAlert {
  readonly since: number;
  readonly references: ReadonlySet<string>;
  readonly sentAt: number;
  /** Pause before the next repeat. */
  readonly repeatMs: number;
  /** Aborts pending posts of the alert when it is over. */
  readonly over: AbortController;
}

/**
 * Raises alerts: an error in the log, a count in the metrics and, if `ALERT_WEBHOOK_URL` is set, a post by this process.
 * It uses neither Redis nor the mail server, because their outage may be the cause. Of a submission an alert contains
 * only the reference.
 */
@Injectable()
export class AlertsService implements OnModuleDestroy {
  private readonly log = new Log('Alerts');
  private readonly active = new Map<AlertKind, ActiveAlert>();
  private readonly stopping = new AbortController();

  constructor(
    @Inject(SETTINGS)
    private readonly settings: Pick<Settings, 'ALERT_WEBHOOK_URL' | 'SITE_URL' | 'COMPANY_NAME'>,
  ) {}

  /**
   * Fires an alert about an event.
   *
   * @param over ends its posts
   * @returns false if the process or its posts end before the webhook accepted or rejected it
   */
  async fire(kind: AlertKind, references: readonly string[], over?: AbortSignal): Promise<boolean> {
    await this.send(kind, { state: 'raised', references }, over);
    return !this.stopping.signal.aborted && over?.aborted !== true;
  }

  /**
   * Updates an alert about a condition after each check. It fires when the condition begins, for each new reference, at
   * growing intervals while it still holds, and at its end.
   *
   * @param holds whether the condition holds, or the references affected; an empty list means that it does not hold
   */
  update(kind: AlertKind, holds: boolean | readonly string[], now = performance.now()): void {
    const before = this.active.get(kind);
    const references = typeof holds === 'boolean' ? [] : holds;
    if (holds === false || (holds !== true && references.length === 0)) return this.resolve(kind, now);
    const { since = now, sentAt = now, repeatMs = REPEAT_MS, over = new AbortController() } = before ?? {};
    const isRepeated = now - sentAt >= repeatMs;
    const added = references.filter((reference) => !before?.references.has(reference));
    const isSent = !before || isRepeated || added.length > 0;
    this.active.set(kind, {
      since,
      references: new Set(references),
      sentAt: isSent ? now : sentAt,
      repeatMs: isRepeated ? Math.min(2 * repeatMs, REPEAT_MAX_MS) : repeatMs,
      over,
    });
    if (isRepeated) this.sendLater(kind, { state: 'still true', references, forMs: now - since }, over.signal);
    else if (isSent) this.sendLater(kind, { state: 'raised', references: added }, over.signal);
  }

  /** Kinds of the active alerts. */
  get activeKinds(): readonly AlertKind[] {
    return [...this.active.keys()];
  }

  onModuleDestroy(): void {
    this.stopping.abort();
  }

  private resolve(kind: AlertKind, now: number): void {
    const before = this.active.get(kind);
    if (!before) return;
    this.active.delete(kind);
    before.over.abort();
    this.sendLater(kind, { state: 'over', references: [], forMs: now - before.since });
  }

  /** Sends without waiting. An error, which is a bug, must not end the process. */
  private sendLater(...alert: Parameters<AlertsService['send']>): void {
    this.send(...alert).catch(({ name }: Error) =>
      this.log.error({ event: 'alert given up', kind: alert[0], code: name }),
    );
  }

  /** Logs, counts and posts. Resolves when the webhook accepted or rejected it, or the process ends. */
  private async send(
    kind: AlertKind,
    { state, references, forMs = 0 }: Pick<AlertPost, 'state' | 'references'> & { forMs?: number },
    over?: AbortSignal,
  ): Promise<void> {
    if (state === 'over') this.log.log({ event: 'alert over', kind, seconds: Math.round(forMs / 1_000) });
    else this.log.error({ event: 'alert', kind, references });
    if (state !== 'over') deliveryMetrics.alerts.inc({ kind });
    const { ALERT_WEBHOOK_URL: url, COMPANY_NAME: company } = this.settings;
    if (!url) return;
    const instance = new URL(this.settings.SITE_URL).hostname;
    const named = references.slice(0, REFERENCES_MAX);
    const more = references.length > named.length ? ` and ${references.length - named.length} more` : '';
    const minutes = Math.round(forMs / 60_000);
    const head = { raised: '', 'still true': `Still true after ${minutes} min: `, over: `Over after ${minutes} min: ` };
    const [sentence, section] = ALERTS[kind];
    const link = state === 'over' ? '' : ` What to do: ${section}`;
    const text = `${company} forms: ${head[state]}${[sentence, named.join(', ')].join(' ').trim()}${more} (${kind}, ${instance})${link}`;
    const signal = over ? AbortSignal.any([over, this.stopping.signal]) : this.stopping.signal;
    const post = {
      kind,
      state,
      text,
      at: Date.now(),
      instance,
      references: named,
      count: references.length,
    };
    const refusal = await postAlert(url, post, signal);
    if (refusal === undefined) return;
    this.log.error({ event: 'alert given up', kind, status: refusal });
    deliveryMetrics.alertsLost.inc({ kind });
  }
}
