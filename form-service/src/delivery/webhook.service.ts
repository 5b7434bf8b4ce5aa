import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { postJson } from '../alerts/alert-webhook.ts';
import { FORMS, type FormKind } from '../contract/forms.ts';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { inboxPage } from '../html/links.ts';
import type { Attempt } from '../outbox/attempt.ts';
import type { Submission } from '../submissions/submission.ts';
import { DeliveryError, GivenUp } from '../outbox/failure.ts';
import type { Channel } from './notifications.service.ts';

const TIMEOUT_MS = 10_000;

/** Returns the value of `webhook-signature` (Standard Webhooks 1.0.0). */
export function signatureOf(id: string, timestamp: number, body: string, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

/** Posts each submission once to the webhook, signed and without the file. */
@Injectable()
export class Webhook implements Channel {
  readonly kind = 'webhook';
  readonly inParallel = 20;
  /** With a virus scanner, applications are posted after the scan. */
  readonly afterMail: readonly FormKind[];
  timeoutMs = TIMEOUT_MS;

  constructor(
    @Inject(SETTINGS)
    private readonly settings: Pick<
      Settings,
      'SUBMISSION_WEBHOOK_URL' | 'SUBMISSION_WEBHOOK_SECRET' | 'CLAMD_URL' | 'SITE_URL' | 'INBOX_USERS'
    >,
  ) {
    this.afterMail = settings.CLAMD_URL ? FORMS.filter(({ file }) => file).map(({ kind }) => kind) : [];
  }

  get isEnabled(): boolean {
    return Boolean(this.settings.SUBMISSION_WEBHOOK_URL && this.settings.SUBMISSION_WEBHOOK_SECRET);
  }

  async send(submission: Submission, { signal }: Attempt): Promise<void> {
    const { SUBMISSION_WEBHOOK_URL: url = '', SUBMISSION_WEBHOOK_SECRET: secret = '' } = this.settings;
    const body = JSON.stringify(this.bodyFor(submission));
    const timestamp = Math.floor(Date.now() / 1_000);
    const headers = {
      'webhook-id': submission.id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureOf(submission.id, timestamp, body, secret),
    };
    const ended = AbortSignal.any([signal, AbortSignal.timeout(this.timeoutMs)]);
    // The error of `fetch` says nothing; its cause has the code of the connection.
    const status = await postJson(url, body, ended, headers).catch((error: Error) => {
      throw error.cause ?? error;
    });
    if (status >= 200 && status < 300) return;
    // The receiver wants no more posts (Standard Webhooks).
    if (status === 410) throw new GivenUp('HTTP 410');
    throw new DeliveryError('refused', `HTTP ${status}`);
  }

  private bodyFor({ id: reference, form, receivedAt, fields, resume }: Submission) {
    const received = new Date(receivedAt).toISOString();
    const file = resume && { resume: { name: resume.name, size: resume.size } };
    return { form, reference, received, fields, ...file, page: inboxPage(this.settings, reference) };
  }
}
