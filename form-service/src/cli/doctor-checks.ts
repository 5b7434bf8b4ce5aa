import { createPublicKey, randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { resolveTxt } from 'node:dns/promises';
import { once } from 'node:events';
import { statfs } from 'node:fs/promises';
import { get as getPlain, type IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { dirname } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { allRecipients } from '../config/recipients.ts';
import type { Settings } from '../config/settings.ts';
import { Database } from '../database/database.ts';
import { lastBackupAt } from '../database/properties.ts';
import { bodyFor } from '../delivery/alert-webhook.ts';
import { Mailer } from '../delivery/mailer.service.ts';
import { createRedisClient } from '../redis/redis-client.ts';
import { openResumeFiles } from '../submissions/resume-files.ts';

/** What was looked at, and what to do where it is not well. */
export interface Finding {
  readonly about: string;
  /** Undefined where all is well. */
  readonly advice?: string | undefined;
}

/** What is asked of others on the internet, and how much free space is enough. */
export interface Outside {
  resolveTxt(name: string): Promise<string[][]>;
  readonly timeServer: { readonly host: string; readonly port: number };
  /** Certificate authorities in PEM, in the place of the public ones. */
  readonly authorities?: string;
  readonly freeBytesMin: number;
}

export const OUTSIDE: Outside = {
  resolveTxt,
  timeServer: { host: 'pool.ntp.org', port: 123 },
  freeBytesMin: 512 * 1024 * 1024,
};

const CERTIFICATE_DAYS_MIN = 14;
const BACKUP_DAYS_MAX = 2;
const CLOCK_MS_MAX = 5_000;
const PATIENCE_MS = 10_000;
const DAY_MS = 86_400_000;

/** NTP counts from 1900. */
const NTP_EPOCH_S = 2_208_988_800;

/** What to do; nothing where all is well. */
type Advice = Promise<string | void>;

/** @param otherwise what to do where it could not even be looked at */
const finding = (about: string, advice: Advice, otherwise = ''): Promise<Finding> =>
  advice.then(
    (text) => ({ about, advice: text || undefined }),
    (error: Error) => ({ about, advice: [error.message, otherwise].filter(Boolean).join(': ') }),
  );

const IN_DOCUMENT = (section: string) => `docs/operations.md, "${section}"`;

/** Looks at everything at once. */
export function checksOf(settings: Settings, outside: Outside): Promise<Finding>[] {
  const domain = settings.MAIL_FROM.split('@')[1] ?? '';
  return [
    finding('mail server', mailServerAdvice(settings)),
    finding(
      `SPF of ${domain}`,
      recordAdvice(outside, domain, 'v=spf1', "such as v=spf1 include:... ~all with your mail provider's name"),
    ),
    finding(`DMARC of ${domain}`, recordAdvice(outside, `_dmarc.${domain}`, 'v=DMARC1', 'such as v=DMARC1; p=none')),
    ...(settings.DKIM_PRIVATE_KEY ? [finding('DKIM', signatureAdvice(outside, settings))] : []),
    finding('Redis', redisAdvice(settings)),
    finding(
      'database',
      withDatabase(settings, (database) => database.check()),
      IN_DOCUMENT('The database fails'),
    ),
    finding('backup', withDatabase(settings, backupAdvice), 'mend the database first'),
    finding('disk', diskAdvice(settings, outside)),
    finding('files of résumés', filesAdvice(settings), IN_DOCUMENT('Résumés in object storage')),
    finding('clock', clockAdvice(outside)),
    finding(settings.SITE_URL, siteAdvice(settings, outside)),
  ];
}

/** Sends what people can see arrive. */
export function trialsOf(settings: Settings): Promise<Finding>[] {
  return [finding('trial mails', trialMails(settings)), finding('trial alert', trialAlert(settings))];
}

async function mailServerAdvice(settings: Settings): Advice {
  const mailer = new Mailer(settings);
  try {
    await mailer.verify();
  } catch (error) {
    const { message } = error as Error;
    const hint = /535|530|534|login/i.test(message)
      ? "user or password in SMTP_URL is wrong; write special characters as %40, and take the provider's SMTP password"
      : /certificate/i.test(message)
        ? 'SMTP_CA_FILE names the authority that signed it'
        : 'is host and port in SMTP_URL right? Many servers are not let out by port 25: use 465 (smtps://) or 587';
    return `${message}: ${hint}`;
  } finally {
    mailer.onApplicationShutdown();
  }
}

async function textsOf(outside: Outside, name: string): Promise<string[]> {
  const records = await outside.resolveTxt(name).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTFOUND' || error.code === 'ENODATA') return [];
    throw new Error(
      `${name} cannot be looked up (${error.code ?? error.message}): is the server in /etc/resolv.conf right?`,
    );
  });
  return records.map((parts) => parts.join(''));
}

async function recordAdvice(outside: Outside, name: string, begin: string, example: string): Advice {
  const found = (await textsOf(outside, name)).filter((text) => text.startsWith(begin));
  if (found.length === 1) return;
  return found.length === 0
    ? `${name} has no TXT record that begins with ${begin}, so mails may be taken for spam: add one, ${example}`
    : `${name} has ${found.length} such TXT records, and none of them counts: join them to one`;
}

async function signatureAdvice(
  outside: Outside,
  { DKIM_PRIVATE_KEY = '', DKIM_SELECTOR, DKIM_DOMAIN }: Settings,
): Advice {
  const name = `${DKIM_SELECTOR}._domainkey.${DKIM_DOMAIN}`;
  const key = createPublicKey(DKIM_PRIVATE_KEY.replaceAll('\\n', '\n')).export({ type: 'spki', format: 'der' });
  const published = (await textsOf(outside, name)).map((text) => /p=([^;]*)/.exec(text)?.[1]?.replace(/\s/g, ''));
  if (published.includes(key.toString('base64'))) return;
  return `${name} does not publish the key of DKIM_PRIVATE_KEY: its TXT record is v=DKIM1; p=${key.toString('base64')}`;
}

async function redisAdvice(settings: Settings): Advice {
  const client = createRedisClient(settings, { maxRetriesPerRequest: 1, commandTimeout: PATIENCE_MS });
  try {
    await client.ping();
  } catch {
    return 'does not answer: docker compose up -d redis, or mend REDIS_URL';
  } finally {
    client.disconnect();
  }
}

async function withDatabase({ DATABASE_URL }: Settings, look: (database: Database) => Advice): Advice {
  const database = await Database.open(DATABASE_URL);
  return look(database).finally(() => database.close());
}

async function backupAdvice(database: Database): Advice {
  const at = await lastBackupAt(database);
  if (at === undefined) return 'there is none yet: docs/install.md, step 10';
  const days = Math.floor((Date.now() - at.getTime()) / DAY_MS);
  if (days >= BACKUP_DAYS_MAX) return `the latest is ${days} days old: does cron run it? docs/install.md, step 10`;
}

async function diskAdvice({ DATABASE_URL, RESUMES_URL = '' }: Settings, { freeBytesMin }: Outside): Advice {
  const paths = [DATABASE_URL, RESUMES_URL].filter((url) => url.startsWith('file:')).map((url) => url.slice(5));
  for (const path of paths) {
    const { bavail, bsize } = await statfs(path).catch(() => statfs(dirname(path)));
    const free = bavail * bsize;
    if (free < freeBytesMin)
      return `${Math.floor(free / 1024 / 1024)} MiB free, and under 32 no submission is taken: docker system prune, or a larger disk`;
  }
}

async function filesAdvice(settings: Settings): Advice {
  const files = await openResumeFiles(settings);
  for await (const _ of files.list()) break;
}

/** The time of another machine against ours, by SNTP. */
async function clockAdvice({ timeServer: { host, port } }: Outside): Advice {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  try {
    const question = Buffer.alloc(48);
    question[0] = 0x1b;
    socket.send(question, port, host);
    const [answer] = (await once(socket, 'message', { signal: AbortSignal.timeout(PATIENCE_MS) })) as [Buffer];
    const offset = Date.now() - (answer.readUInt32BE(40) - NTP_EPOCH_S) * 1_000;
    if (Math.abs(offset) >= CLOCK_MS_MAX)
      return `${Math.round(Math.abs(offset) / 1_000)} s ${offset > 0 ? 'fast' : 'slow'}: sudo timedatectl set-ntp true`;
  } catch {
    return `no time from ${host} (UDP 123): does timedatectl on the server say "System clock synchronized: yes"?`;
  } finally {
    socket.close();
  }
}

/** The site as visitors reach it: name, certificate, and whether nginx believes what is in front of it. */
async function siteAdvice({ SITE_URL }: Settings, { authorities }: Outside): Advice {
  const url = new URL('/about', SITE_URL);
  const isSecure = url.protocol === 'https:';
  const options = { signal: AbortSignal.timeout(PATIENCE_MS), agent: false } as const;
  const question = isSecure
    ? get(url, { ...options, ...(authorities && { ca: authorities }) })
    : getPlain(url, options);
  let answer: IncomingMessage;
  try {
    [answer] = (await once(question, 'response')) as [IncomingMessage];
  } catch (error) {
    const { code = 'ABORT_ERR' } = error as NodeJS.ErrnoException;
    const hint = /^(ENOTFOUND|EAI_AGAIN)$/.test(code)
      ? 'no such name is known yet: add the records of docs/install.md, step 2'
      : /CERT|SIGN|ISSUER|SSL|TLS/.test(code)
        ? 'the certificate is not (yet) one that browsers trust: docker compose logs caddy nginx'
        : 'are ports 80 and 443 open, and does the name lead here? docker compose logs caddy nginx';
    return `cannot be reached (${code === 'ABORT_ERR' ? 'no answer' : code}): ${hint}`;
  }
  const certificateEnd = isSecure ? Date.parse((answer.socket as TLSSocket).getPeerCertificate().valid_to) : Infinity;
  answer.destroy();
  const days = Math.floor((certificateEnd - Date.now()) / DAY_MS);
  if (days < CERTIFICATE_DAYS_MIN)
    return `the certificate ends in ${days} days: why is it not renewed? docker compose logs caddy`;
  if (answer.statusCode !== 200) return `answers ${answer.statusCode}: docker compose ps -a`;
  if (isSecure && !answer.headers['strict-transport-security'])
    return 'nginx does not know of the proxy in front: name it in TRUSTED_PROXIES, or all visitors share one limit';
}

/** By the way of all mails: greeted, encrypted and signed like them. */
async function trialMails(settings: Settings): Advice {
  const mailer = new Mailer(settings);
  const text = 'This inbox receives what visitors send by the forms of your website. There is nothing to do.';
  try {
    for (const to of allRecipients(settings)) {
      const requestId = randomUUID();
      const messageId = `<${requestId}@${new URL(settings.SITE_URL).hostname}>`;
      const mail = { to, subject: 'Trial mail of your website', messageId, requestId, text, html: `<p>${text}</p>` };
      await mailer.send(mail).catch(({ message }: Error) => {
        throw new Error(`to ${to}: ${message}: does the address exist, and may MAIL_FROM send by this account?`);
      });
    }
  } finally {
    mailer.onApplicationShutdown();
  }
}

async function trialAlert({ ALERT_WEBHOOK_URL, INSTANCE }: Settings): Advice {
  if (!ALERT_WEBHOOK_URL)
    return "ALERT_WEBHOOK_URL is not set, so nobody is told of an outage: set it to the address of a chat's incoming webhook";
  const text = 'A trial alert of your website. There is nothing to do.';
  const rest = { at: Date.now(), instance: INSTANCE, references: [], count: 0 };
  const body = bodyFor(new URL(ALERT_WEBHOOK_URL).hostname, { kind: 'trial', state: 'raised', text, ...rest });
  const answer = await fetch(ALERT_WEBHOOK_URL, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch(({ name, cause }: Error) => {
    const { code = name } = (cause ?? {}) as NodeJS.ErrnoException;
    throw new Error(`ALERT_WEBHOOK_URL is not reached (${code}): is its host right, and let out by a firewall?`);
  });
  if (!answer.ok) return `ALERT_WEBHOOK_URL answers ${answer.status}: make the webhook anew`;
}
