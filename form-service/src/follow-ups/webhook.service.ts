import { createHmac } from 'node:crypto';
import { lookup } from 'node:dns';
import { request as requestPlain } from 'node:http';
import { request } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { inboxPage } from '../delivery/mails/wording.ts';
import type { FormKind, Submission } from '../submissions/submission.ts';
import type { Sent } from './follow-ups.repository.ts';

const TIMEOUT_MS = 10_000;

/** Networks that are not the internet (RFC 6890): the machine itself, private ones, the metadata service of clouds, ... */
const INSIDE = new BlockList();
const INSIDE_NETWORKS =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16 198.18.0.0/15 ' +
  '224.0.0.0/4 240.0.0.0/4 ::/127 64:ff9b:1::/48 2002::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8';
for (const network of INSIDE_NETWORKS.split(' ')) {
  const [address = '', bits] = network.split('/');
  INSIDE.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4');
}

/** Looks a name up, and leaves out addresses inside the network. Nothing is asked twice, so no later answer counts. */
export function outsideOnly(resolve = lookup): LookupFunction {
  return (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, found) => {
      const outside = (found ?? []).filter(
        ({ address, family }) => !INSIDE.check(address, family === 6 ? 'ipv6' : 'ipv4'),
      );
      const [first] = outside;
      if (error || !first) callback(error ?? Object.assign(new Error('leads inside'), { code: 'EINSIDE' }), []);
      else if (options.all) callback(null, outside);
      else callback(null, first.address, first.family);
    });
}

/** Whether the operator named a place inside the network in so many words; any other name must lead outside. */
function isNamedInside({ hostname }: URL): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || !hostname.includes('.');
}

/** The value of `webhook-signature` (Standard Webhooks 1.0.0). */
export function signatureOf(id: string, timestamp: number, body: string, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

/** Posts each submission once to another program, signed. The file stays here. */
@Injectable()
export class Webhook {
  readonly kind = 'webhook';
  readonly inParallel = 20;
  /** An application is posted once the virus scan has let it through. */
  readonly afterMail: readonly FormKind[];
  timeoutMs = TIMEOUT_MS;
  lookup = outsideOnly();

  constructor(
    @Inject(SETTINGS)
    private readonly settings: Pick<
      Settings,
      'SUBMISSION_WEBHOOK_URL' | 'SUBMISSION_WEBHOOK_SECRET' | 'CLAMD_URL' | 'SITE_URL' | 'INBOX_USERS'
    >,
  ) {
    this.afterMail = settings.CLAMD_URL ? ['application'] : [];
  }

  get isReady(): boolean {
    return Boolean(this.settings.SUBMISSION_WEBHOOK_URL && this.settings.SUBMISSION_WEBHOOK_SECRET);
  }

  async send(submission: Submission): Promise<Sent> {
    const { SUBMISSION_WEBHOOK_URL: url = '', SUBMISSION_WEBHOOK_SECRET: secret = '' } = this.settings;
    const body = JSON.stringify(this.bodyFor(submission));
    const timestamp = Math.floor(Date.now() / 1_000);
    const status = await this.post(new URL(url), body, {
      'webhook-id': submission.id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatureOf(submission.id, timestamp, body, secret),
    });
    if (status >= 200 && status < 300) return { state: 'delivered' };
    return { state: status === 410 ? 'failed' : 'pending', error: `HTTP ${status}` };
  }

  private bodyFor({ id: reference, form, receivedAt, fields, resume }: Submission) {
    const received = new Date(receivedAt).toISOString();
    const file = resume && { resume: { name: resume.name, size: resume.size } };
    return { form, reference, received, fields, ...file, page: inboxPage(this.settings, reference) };
  }

  /** The status of the answer. A redirect is an answer like others: it is not followed. */
  private post(url: URL, body: string, headers: Readonly<Record<string, string | number>>): Promise<number> {
    const signal = AbortSignal.timeout(this.timeoutMs);
    const options = {
      method: 'POST',
      agent: false,
      signal,
      headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
      ...(!isNamedInside(url) && { lookup: this.lookup }),
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
}
