import { Injectable } from '@nestjs/common';
import { HealthService } from '../observability/health.service.ts';
import { AlertsService, type AlertKind } from './alerts.service.ts';

/** Raises and ends the alerts of all checks. */
@Injectable()
export class Monitor {
  /** Since when a check is not ok, in milliseconds since the epoch, by its name. */
  private readonly since = new Map<string, number>();

  constructor(
    private readonly health: HealthService,
    private readonly alerts: AlertsService,
  ) {}

  /** Runs all checks once. An alert whose check cannot be made stays as it is. */
  async check(now = Date.now()): Promise<void> {
    for (const [{ name, alert }, result] of await this.health.results()) {
      const { status, affected, since: begin, isUrgent = false, isUnknown = false } = result;
      if (alert === undefined || isUnknown) continue;
      const since = status === 'ok' ? undefined : (begin ?? this.since.get(name) ?? now);
      if (since === undefined) this.since.delete(name);
      else this.since.set(name, since);
      const isRaised = since !== undefined && (isUrgent || now - since >= (alert.afterMs ?? 0));
      this.alerts.update(alert.kind as AlertKind, isRaised && (affected ?? true), now);
    }
  }
}
