/** Kinds of alerts, each with its message and the section that says what to do. */
export const ALERTS = {
  'submission-failed': [
    'Submissions could not be delivered and wait for "submissions resend".',
    'docs/operations.md#hr-got-nothing',
  ],
  'submission-quarantined': [
    'Submissions were quarantined after a virus scan and wait for "submissions release".',
    'docs/operations.md#a-quarantined-submission',
  ],
  'submission-overdue': ['Submissions have been pending for more than 5 minutes.', 'docs/operations.md#hr-got-nothing'],
  'mailbox-refuses': [
    'The mail server refuses our mails to a mailbox. They are tried again for two days, or when you press "Send again". Mailbox and code:',
    'docs/operations.md#the-mail-server-refuses-or-is-unavailable',
  ],
  'notifications-given-up': [
    'Webhook posts or acknowledgements failed for good within the last hour. Run "submissions doctor". Submissions:',
    'docs/operations.md#acknowledgements-and-the-webhook',
  ],
  'digest-not-sent': [
    'The daily digest of held back and failed submissions could not be sent. Look into the inbox yourself. The recipient:',
    'docs/operations.md#the-digest',
  ],
  'mail-server-away': [
    'The mail server is unavailable. Submissions are kept.',
    'docs/operations.md#the-mail-server-refuses-or-is-unavailable',
  ],
  'redis-away': [
    'Redis is unavailable or rejects writes. Submissions are kept, and delivered when it accepts them again. The cause:',
    'docs/operations.md#redis-lost',
  ],
  'task-stalled': [
    'A periodic task of the worker has not succeeded for too long.',
    'docs/operations.md#a-task-is-stalled',
  ],
  'disk-nearly-full': ['The disk that holds the submissions is nearly full.', 'docs/operations.md#disk-full'],
  'files-without-submission': [
    'Many résumé files belong to no submission. None was deleted. Run "submissions erase --orphans".',
    'docs/operations.md#files-without-a-submission',
  ],
  'storage-unavailable': ['The database or the résumé files are unavailable.', 'docs/operations.md#the-database-fails'],
  'backup-old': ['For more than two days no backup was kept elsewhere.', 'docs/operations.md#back-up'],
} as const satisfies Record<string, readonly [sentence: string, section: string]>;
export type AlertKind = keyof typeof ALERTS;
