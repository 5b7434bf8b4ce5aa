import { Injectable } from '@nestjs/common';
import { LeasedWork, type Work } from '../outbox/leased-work.ts';
import { ALERT_LEASE_MS, SubmissionsRepository, type AlertLease } from '../submissions/submissions.repository.ts';
import { AlertsService } from './alerts.service.ts';

/**
 * Raises the alerts about submissions that have failed or were quarantined. Each has a mark in the database, which is
 * cleared after the webhook has accepted the alert. So a crash in between repeats it, and a graceful shutdown leaves it to
 * another worker at once.
 */
@Injectable()
export class SubmissionAlerts {
  readonly work: Work<AlertLease> = {
    leaseMs: ALERT_LEASE_MS,
    renew: (lease) => this.submissions.renewAlerts(lease),
    run: async (lease, { signal }) => {
      // After an outage of the database the lease may be another worker's, or a later one of this worker.
      const isRaised = await this.alerts.fire(`submission-${lease.state}`, lease.ids, signal);
      await this.leasedWork.write(() => this.submissions.endAlerts(lease, isRaised));
    },
  };

  constructor(
    private readonly submissions: SubmissionsRepository,
    private readonly alerts: AlertsService,
    private readonly leasedWork: LeasedWork,
  ) {}

  /** Begins to raise the alerts that are due. The webhook may accept one much later, which delays no other. */
  raiseDue(): Promise<void> {
    return this.leasedWork.begin(() => this.submissions.leaseAlerts(), this.work);
  }
}
