import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { postJson } from '../alerts/alert-webhook.ts';
import { FORMS, type FormKind } from '../contract/forms.ts';
import { LOOKUP_MS, lookedUp } from '../config/name-lookup.ts';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { USER_AGENT } from '../config/user-agent.ts';
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
<<<<<<< HEAD
=======
  lookupMs = LOOKUP_MS;
  lookup = publicOnly();
>>>>>>> main

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
<<<<<<< HEAD
    const ended = AbortSignal.any([signal, AbortSignal.timeout(this.timeoutMs)]);
    // The error of `fetch` says nothing; its cause has the code of the connection.
    const status = await postJson(url, body, ended, headers).catch((error: Error) => {
      throw error.cause ?? error;
    });
=======
    const to = new URL(url);
    const lookUp = await lookedUp(to.hostname, isNamedInternal(to) ? undefined : this.lookup, this.lookupMs);
    const status = await this.post(to, body, headers, signal, lookUp);
>>>>>>> main
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
<<<<<<< HEAD
=======

  /** Posts the body and returns the status of the response. Redirects are not followed. */
  private post(
    url: URL,
    body: string,
    headers: Readonly<Record<string, string | number>>,
    ended: AbortSignal,
    lookUp: LookupFunction,
  ): Promise<number> {
    const signal = AbortSignal.any([ended, AbortSignal.timeout(this.timeoutMs)]);
    const options = {
      method: 'POST',
      agent: false,
      signal,
      headers: {
        ...headers,
        'User-Agent': USER_AGENT,
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
      },
      lookup: lookUp,
    } as const;
    return new Promise((resolve, reject) => {
      const sent = (url.protocol === 'https:' ? request : requestPlain)(url, options, (answer) => {
        resolve(answer.statusCode ?? 0);
        answer.destroy();
      });
      sent.on('error', (error) => reject(signal.aborted ? Object.assign(error, { code: 'ETIMEDOUT' }) : error));
      sent.end(body);
    });
  }
>>>>>>> main
}
