import { Injectable } from '@nestjs/common';
import { HealthService } from './health.service.ts';
import { AlertsService } from '../alerts/alerts.service.ts';

/** Time for which a check cannot be made before its alert: longer than the database needs to be reported itself. */
const UNKNOWN_MS = 2 * 60_000;

/** Raises and ends the alerts of all checks. */
@Injectable()
export class Monitor {
  /** Since when a check is not ok, by its name. The times are those of `performance.now()`. */
  private readonly since = new Map<string, number>();
  /** Since when a check cannot be made. */
  private unknownSince = new Map<string, number>();

  constructor(
    private readonly health: HealthService,
    private readonly alerts: AlertsService,
  ) {}

  /**
   * Runs all checks once. An alert whose check cannot be made stays as it is at first, and is raised when that lasts. While
   * the database is unavailable, the checks that need it have no result.
   */
  async check(now = performance.now()): Promise<void> {
    const unknownSince = new Map<string, number>();
    for (const [{ name, alert }, result] of await this.health.results()) {
      const { status, cause, affected, details, isUrgent = false, isUnknown = false } = result;
      if (alert === undefined) continue;
      const { kind, afterMs = 0 } = alert;
      if (isUnknown) {
        const since = this.unknownSince.get(name) ?? now;
        unknownSince.set(name, since);
        if (now - since >= Math.max(afterMs, UNKNOWN_MS))
          this.alerts.update(kind, [`could not be checked (${cause})`], now);
        continue;
      }
      const since = status === 'ok' ? undefined : (this.since.get(name) ?? now);
      if (since === undefined) this.since.delete(name);
      else this.since.set(name, since);
      const isRaised = since !== undefined && (isUrgent || now - since >= afterMs);
      this.alerts.update(kind, isRaised && (affected ?? true), now, details);
    }
    this.unknownSince = unknownSince;
  }
}
