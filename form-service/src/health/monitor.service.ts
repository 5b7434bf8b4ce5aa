import { Injectable } from '@nestjs/common';
import { HealthService } from './health.service.ts';
import { AlertsService } from '../alerts/alerts.service.ts';

/** Raises and ends the alerts of all checks. */
@Injectable()
export class Monitor {
  /** Since when a check is not ok, by its name. The times are those of `performance.now()`. */
  private readonly since = new Map<string, number>();

  constructor(
    private readonly health: HealthService,
    private readonly alerts: AlertsService,
  ) {}

  /** Runs all checks once. An alert whose check cannot be made stays as it is; the process is not ready then. */
  async check(now = performance.now()): Promise<void> {
    for (const [{ name, alert }, result] of await this.health.results()) {
      const { status, affected, details, isUnknown = false } = result;
      if (alert === undefined || isUnknown) continue;
      const { kind, afterMs = 0 } = alert;
      const since = status === 'ok' ? undefined : (this.since.get(name) ?? now);
      if (since === undefined) this.since.delete(name);
      else this.since.set(name, since);
      const isRaised = since !== undefined && now - since >= afterMs;
      this.alerts.update(kind, isRaised && (affected ?? true), now, details);
    }
  }
}
