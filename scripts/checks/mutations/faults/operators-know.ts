import { replaces } from '../mutate.ts';
import { inExport, inFile, type Fault } from '../fault.ts';

/** Operators learn of failures: by alerts, health checks, digests, `doctor` and the messages at a start. */
export const faults: readonly Fault[] = [
  {
    breaks: 'An alert is repeated until the receiver accepts it',
    file: 'form-service/src/alerts/alert-webhook.ts',
    apply: inExport('postAlert', replaces('status >= 200 && status < 300', 'true')),
    test: 'form-service/src/alerts/alerts.integration.ts',
    title: 'is posted again > the receiver was unavailable',
  },
  {
    breaks: 'An alert about a submission survives its worker',
    file: 'form-service/src/alerts/submission-alerts.service.ts',
    apply: inExport(
      'SubmissionAlerts',
      replaces('this.submissions.endAlerts(lease, isRaised)', 'this.submissions.endAlerts(lease, true)'),
    ),
    test: 'form-service/src/alerts/alerts.integration.ts',
    title: 'its worker shuts down before the receiver accepts it',
  },
  {
    breaks: 'An overdue submission raises an alert',
    file: 'form-service/src/checks/deliveries.ts',
    apply: inExport('deliveriesCheck', replaces('overdue > 0 ? await search.pendingLongerThan(OVERDUE_MS) : []', '[]')),
    test: 'form-service/src/delivery/failures.integration.ts',
    title: 'raises alerts about an overdue submission',
  },
  {
    breaks: 'A backup that grows old raises an alert',
    file: 'form-service/src/alerts/monitor.service.ts',
    apply: inExport('Monitor.check', replaces('isRaised && (affected ?? true)', 'isRaised && (affected ?? false)')),
    test: 'form-service/src/alerts/alerts.integration.ts',
    title: 'the latest backup is old',
  },
  {
    breaks: 'A digest lists the submissions of its recipient',
    file: 'form-service/src/housekeeping/digest.service.ts',
    apply: inExport(
      'DigestService.collect',
      replaces('digests.get(recipientOf(one, this.settings))', '[...digests.values()][0]'),
    ),
    test: 'form-service/src/housekeeping/digest.integration.ts',
    title: 'new submissions, and counts the older ones',
  },
  {
    breaks: 'Doctor reports a backup that is old',
    file: 'form-service/src/checks/backup.ts',
    apply: inExport('backupCheck', replaces('Date.now() - since.getTime() > MAX_AGE_MS', 'false')),
    test: 'form-service/src/cli/doctor.integration.ts',
    title: 'reports a missing backup, an old one',
  },
  {
    breaks: 'A start names all wrong settings and no value',
    file: 'form-service/src/config/settings.ts',
    apply: inExport('readVariables', replaces('{ abortEarly: false }', '{ abortEarly: true }')),
    test: 'form-service/src/config/settings.test.ts',
    title: 'rejects with all mistakes at once',
  },
  {
    breaks: 'Doctor reports plain HTTP next to Caddy',
    file: 'form-service/src/doctor/env-file.ts',
    apply: inFile('!LOOPBACK.test(HOST)', 'false'),
    test: 'form-service/src/doctor/env-file.test.ts',
    title: 'reports settings of the containers that contradict each other',
  },
];
