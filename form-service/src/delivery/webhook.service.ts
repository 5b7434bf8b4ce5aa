import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { lookup } from 'node:dns';
import { request as requestPlain } from 'node:http';
import { request } from 'node:https';
import { BlockList, connect, isIP, type LookupFunction } from 'node:net';
import { connect as connectOverTls } from 'node:tls';
import { Inject, Injectable } from '@nestjs/common';
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

/** SSRF guard: non-public address ranges (RFC 6890), such as loopback, private networks and cloud metadata services. */
const NON_PUBLIC = new BlockList();
const NON_PUBLIC_NETWORKS =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16 198.18.0.0/15 ' +
  '224.0.0.0/4 240.0.0.0/4 ::/127 64:ff9b:1::/48 2002::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8';
for (const network of NON_PUBLIC_NETWORKS.split(' ')) {
  const [address = '', bits] = network.split('/');
  NON_PUBLIC.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4');
}

/** Resolves a name to its public addresses. The connection uses this result, so that DNS rebinding has no effect. */
export function publicOnly(resolve = lookup): LookupFunction {
  return (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, found) => {
      const publicOnes = (found ?? []).filter(
        ({ address, family }) => !NON_PUBLIC.check(address, family === 6 ? 'ipv6' : 'ipv4'),
      );
      const [first] = publicOnes;
      if (error || !first)
        callback(error ?? Object.assign(new Error('The name has no public address'), { code: 'EINSIDE' }), []);
      else if (options.all) callback(null, publicOnes);
      else callback(null, first.address, first.family);
    });
}

/** Whether the operator named an internal host by address or plain name. Any other name must resolve to a public address. */
function isNamedInternal({ hostname }: URL): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || !hostname.includes('.');
}

/** Returns the value of `webhook-signature` (Standard Webhooks 1.0.0). */
export function signatureOf(id: string, timestamp: number, body: string, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

/** Connects to the host of a URL and disconnects. Resolves names as for posts. */
export async function connectTo(url: URL, timeoutMs: number): Promise<void> {
  const isSecure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const options = {
    host,
    port: Number(url.port) || (isSecure ? 443 : 80),
    ...(isSecure && isIP(host) === 0 && { servername: host }),
    ...(!isNamedInternal(url) && { lookup: publicOnly() }),
  };
  const socket = isSecure ? connectOverTls(options) : connect(options);
  try {
    await once(socket, isSecure ? 'secureConnect' : 'connect', { signal: AbortSignal.timeout(timeoutMs) });
  } finally {
    // A lookup may fail after the time limit.
    socket.on('error', () => undefined).destroy();
  }
}

/** Posts each submission once to the webhook, signed and without the file. */
@Injectable()
export class Webhook implements Channel {
  readonly kind = 'webhook';
  readonly inParallel = 20;
  /** With a virus scanner, applications are posted after the scan. */
  readonly afterMail: readonly FormKind[];
  timeoutMs = TIMEOUT_MS;
  lookupMs = LOOKUP_MS;
  lookup = publicOnly();

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
      'webhook-timestamp': timestamp,
      'webhook-signature': signatureOf(submission.id, timestamp, body, secret),
    };
    const to = new URL(url);
    const lookUp = await lookedUp(to.hostname, isNamedInternal(to) ? undefined : this.lookup, this.lookupMs);
    const status = await this.post(to, body, headers, signal, lookUp);
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
}
