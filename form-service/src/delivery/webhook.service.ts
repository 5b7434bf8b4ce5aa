import { createHmac } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { postJson } from '../alerts/alert-webhook.ts';
import { FORMS, type FormKind } from '../contract/forms.ts';
import { SETTINGS, type Settings } from '../settings/settings.ts';
import { inboxPage } from '../html/links.ts';
import { DeliveryError, GivenUp } from '../outbox/attempt.ts';
import type { Submission } from '../submissions/submission.ts';
import type { Channel } from './notifications.service.ts';

const TIMEOUT_MS = 10_000;

/** Address ranges that are not public (RFC 6890): loopback, private networks, metadata services of clouds. */
const INSIDE = new BlockList();
const NETWORKS_INSIDE =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16 198.18.0.0/15 ' +
  '224.0.0.0/4 240.0.0.0/4 ::/127 64:ff9b:1::/48 2002::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8';
for (const network of NETWORKS_INSIDE.split(' ')) {
  const [address = '', bits] = network.split('/');
  INSIDE.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4');
}

/**
 * Rejects with `EINSIDE` if a name leads into the network (SSRF). The operator names a program inside by its IP address, or
 * by a name without a dot. A name that is not found is left to the connection, whose proxy may know it.
 */
export async function refuseInside(
  { hostname }: URL,
  resolve: (name: string) => Promise<{ address: string; family: number }[]> = (name) => lookup(name, { all: true }),
): Promise<void> {
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || !hostname.includes('.')) return;
  const found = await resolve(hostname).catch(() => []);
  if (found.some(({ address, family }) => INSIDE.check(address, family === 6 ? 'ipv6' : 'ipv4')))
    throw Object.assign(new Error('The name leads into the network'), { code: 'EINSIDE' });
}

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
  refuseInside = refuseInside;

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

  async send(submission: Submission, signal: AbortSignal): Promise<void> {
    const { SUBMISSION_WEBHOOK_URL: url = '', SUBMISSION_WEBHOOK_SECRET: secret = '' } = this.settings;
    const body = JSON.stringify(this.bodyFor(submission));
    const timestamp = Math.floor(Date.now() / 1_000);
    const headers = {
      'webhook-id': submission.id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureOf(submission.id, timestamp, body, secret),
    };
    await this.refuseInside(new URL(url));
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
