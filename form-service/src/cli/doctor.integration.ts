import { generateKeyPairSync } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { rootCertificates } from 'node:tls';
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../../test/free-port.ts';
import { MailServer } from '../../test/mail-server.ts';
import { RedisServer } from '../../test/redis-server.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { Database } from '../database/database.ts';
import { noteBackup } from '../database/properties.ts';
import type { Outside } from './doctor-checks.ts';
import { doctor, type Choice } from './doctor.ts';
import { Terminal } from './terminal.ts';

const USER = 'mailer';
const PASSWORD = 'right$word';
const NTP_EPOCH_S = 2_208_988_800;

let redis: RedisServer;
let mail: MailServer;
let site: Server;
let clock: Socket;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let healthy: Record<string, string>;
let outside: Outside;
let closedPort: number;
/** A site whose certificate ends in five days. */
let expiring: Server;
/** How many seconds less than ours the time server says. */
let secondsFast = 0;
let siteHeaders: Record<string, string>;
const posted: string[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  closedPort = await freePort();
  [redis, mail] = await Promise.all([
    RedisServer.start(),
    MailServer.start({
      authOptional: false,
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        done(username === USER && password === PASSWORD ? null : new Error('no'), { user: USER }),
    }),
  ]);
  const lasting = certificateFor(60, 'certificate.pem');
  const short = certificateFor(5, 'short.pem');
  const answer = (_: IncomingMessage, response: ServerResponse) => void response.writeHead(200, siteHeaders).end();
  [site, expiring] = [createServer(lasting, answer), createServer(short, answer)];
  for (const one of [site, expiring]) await once(one.listen(0, '127.0.0.1'), 'listening');
  clock = createSocket('udp4', (_, { port, address }) => {
    const answer = Buffer.alloc(48);
    answer.writeUInt32BE(Math.floor(Date.now() / 1_000) + NTP_EPOCH_S - secondsFast, 40);
    clock.send(answer, port, address);
  });
  clock.bind(0, '127.0.0.1');
  await once(clock, 'listening');
  outside = {
    resolveTxt: (name) =>
      Promise.resolve({ 'acme.test': [['v=spf1 ', '-all']], '_dmarc.acme.test': [['v=DMARC1; p=none']] }[name] ?? []),
    timeServer: { host: '127.0.0.1', port: clock.address().port },
    authorities: `${lasting.cert}${short.cert}`,
    freeBytesMin: 1,
  };
  healthy = {
    SITE_URL: addressOf(site),
    SALES_INBOX: 'sales@acme.test',
    HR_INBOX: 'jobs@acme.test',
    MAIL_FROM: 'website@acme.test',
    SMTP_URL: `smtp://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${mail.port}`,
    REDIS_URL: redis.url,
    DATABASE_URL: `file:${join(folder.path, 'submissions.db')}`,
    RESUMES_URL: `file:${join(folder.path, 'resumes')}`,
  };
  siteHeaders = { 'strict-transport-security': 'max-age=86400' };
});
afterAll(async () => {
  for (const one of [site, expiring]) one.close().closeAllConnections();
  clock.close();
  await Promise.all([redis.stop(), mail.stop()]);
  await folder.remove();
});

const addressOf = (server: Server) => `https://localhost:${(server.address() as AddressInfo).port}`;

/** A certificate in a file of this name, signed by itself, with its key beside it. */
function certificateFor(days: number, name: string) {
  const [key, certificate] = [join(folder.path, `key-of-${name}`), join(folder.path, name)];
  const kind = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days ${days} -subj /CN=localhost`;
  const names = '-addext subjectAltName=DNS:localhost,IP:127.0.0.1';
  spawnSync('openssl', [...`${kind} ${names}`.split(' '), '-keyout', key, '-out', certificate]);
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(certificate, 'utf8') };
}

/** The lines that tell what to mend, and all of them. */
async function told(environment: Record<string, string>, choice: Choice = {}, other: Partial<Outside> = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const ended = doctor(new Terminal(stdout, stderr), environment, choice, { ...outside, ...other }).then(
    () => 'well',
    (error: Error) => error.message,
  );
  const result = await ended;
  stdout.end();
  const lines = (await text(stdout)).trim().split('\n');
  return { result, lines, mend: lines.filter((line) => line.startsWith('MEND')) };
}

/** Notes that a backup was made so many days ago. */
async function backedUp(daysAgo: number): Promise<void> {
  const database = await Database.open(healthy.DATABASE_URL ?? '');
  await noteBackup(database, new Date(Date.now() - daysAgo * 86_400_000));
  await database.close();
}

describe('The command doctor', () => {
  it('A set-up without a backup, and one whose latest is old, are named', async () => {
    expect((await told(healthy)).mend).toEqual([expect.stringContaining('backup: there is none yet')]);
    await backedUp(3);
    expect((await told(healthy)).mend).toEqual([expect.stringContaining('backup: the latest is 3 days old')]);
    await backedUp(1);
  });

  it('A healthy set-up has nothing to mend', async () => {
    const { result, lines, mend } = await told(healthy, { envFile: "SMTP_URL='smtp://a:b$c@d'\nVERSION=1.2.3\n" });
    expect([mend, result]).toEqual([[], 'well']);
    expect(lines.length).toBeGreaterThanOrEqual(9);
  });

  it('Trial mails reach both inboxes, and a trial alert the webhook', async () => {
    const chat = createHttpServer((question, response) => {
      question.on('data', (chunk: Buffer) => posted.push(chunk.toString()));
      question.on('end', () => response.end());
    }).listen(0, '127.0.0.1');
    await once(chat, 'listening');
    const { mend } = await told(
      { ...healthy, ALERT_WEBHOOK_URL: `http://127.0.0.1:${(chat.address() as AddressInfo).port}` },
      { send: true },
    );
    chat.close();
    expect(mend).toEqual([]);
    expect(mail.recipients).toEqual(['sales@acme.test', 'jobs@acme.test']);
    expect(posted.join('')).toContain('trial alert');
  });

  it('Trial mails go the way of all others: encrypted by a certificate that SMTP_CA_FILE vouches for', async () => {
    const [key, SMTP_CA_FILE] = [join(folder.path, 'key-of-certificate.pem'), join(folder.path, 'certificate.pem')];
    const secure = await MailServer.start({ secure: true, key: readFileSync(key), cert: readFileSync(SMTP_CA_FILE) });
    const SMTP_URL = `smtps://127.0.0.1:${secure.port}`;
    const { mend } = await told({ ...healthy, SMTP_URL, SMTP_CA_FILE }, { send: true }).finally(() => secure.stop());
    expect(mend.filter((line) => line.includes('mail'))).toEqual([]);
    expect(secure.recipients).toEqual(['sales@acme.test', 'jobs@acme.test']);
  });

  const faults: readonly [
    fault: string,
    change: () => Record<string, string>,
    line: RegExp,
    choice?: Choice,
    other?: Partial<Outside>,
  ][] = [
    ['a wrong setting', () => ({ RATE_LIMIT_PER_MINUTE: 'many' }), /^MEND {2}settings: RATE_LIMIT_PER_MINUTE must/],
    [
      "the example's address",
      () => ({ HR_INBOX: 'careers@kitewright.example' }),
      /settings: HR_INBOX is an address of the example/,
    ],
    ['a recipient of nothing', () => ({ RECIPIENTS: 'SAP = sap@acme.test' }), /settings: RECIPIENTS has "SAP"/],
    ['no mail account', () => ({ SMTP_URL: '' }), /settings: SMTP_URL is not set/],
    [
      'a wrong password of the mail server',
      () => ({ SMTP_URL: `smtp://${USER}:wrong@127.0.0.1:${mail.port}` }),
      /mail server: .*user or password in SMTP_URL is wrong/,
    ],
    [
      'a port of the mail server that nobody answers',
      () => ({ SMTP_URL: `smtp://127.0.0.1:${closedPort}` }),
      /mail server: .*use 465/,
    ],
    [
      'a sender without records',
      () => ({ MAIL_FROM: 'website@other.test' }),
      /SPF of other\.test: .* begins with v=spf1.*: add one, such as v=spf1 include:/,
    ],
    ['Redis away', () => ({ REDIS_URL: `redis://127.0.0.1:${closedPort}` }), /Redis: does not answer/],
    [
      'a database that is away',
      () => ({ DATABASE_URL: `postgres://a:b@127.0.0.1:${closedPort}/c`, UPLOAD_DIR: folder.path }),
      /database: .*ECONNREFUSED.*: docs\/operations\.md, "The database fails"/,
    ],
    [
      'an object store that is away',
      () => ({
        RESUMES_URL: 's3://bucket/prefix?path-style',
        AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${closedPort}`,
        AWS_ACCESS_KEY_ID: 'a',
        AWS_SECRET_ACCESS_KEY: 'b',
        AWS_REGION: 'eu-central-1',
        UPLOAD_DIR: folder.path,
      }),
      /files of résumés: .*: docs\/operations\.md, "Résumés in object storage"/,
    ],
    [
      'a site that is not reached',
      () => ({ SITE_URL: `https://localhost:${closedPort}` }),
      /cannot be reached \(ECONNREFUSED\): are ports 80 and 443 open/,
    ],
    [
      'a name of the site that leads nowhere',
      () => ({ SITE_URL: 'https://no-such-name.invalid' }),
      /cannot be reached \(\w+\): no such name is known yet: add the records/,
    ],
    [
      'a certificate that nobody trusts',
      () => ({ SITE_URL: addressOf(site) }),
      /cannot be reached \(\w*SELF_SIGNED\w*\): the certificate.*docker compose logs caddy nginx/,
      {},
      { authorities: rootCertificates.join('\n') },
    ],
    [
      'a certificate that ends soon',
      () => ({ SITE_URL: addressOf(expiring) }),
      /the certificate ends in 4 days: why is it not renewed\? docker compose logs caddy/,
    ],
    [
      'records that cannot be looked up',
      () => ({}),
      /DMARC of acme\.test: .*\(ETIMEOUT\): .*\/etc\/resolv\.conf/,
      {},
      { resolveTxt: () => Promise.reject(Object.assign(new Error('queryTxt'), { code: 'ETIMEOUT' })) },
    ],
    [
      'an address of the chat that is not reached',
      () => ({ ALERT_WEBHOOK_URL: `http://127.0.0.1:${closedPort}` }),
      /trial alert: ALERT_WEBHOOK_URL is not reached \(ECONNREFUSED\)/,
      { send: true },
    ],
    [
      'a DKIM key that is not published',
      () => ({
        DKIM_DOMAIN: 'acme.test',
        DKIM_SELECTOR: 'web',
        DKIM_PRIVATE_KEY: generateKeyPairSync('rsa', { modulusLength: 2048 })
          .privateKey.export({ type: 'pkcs8', format: 'pem' })
          .toString(),
      }),
      /DKIM: web\._domainkey\.acme\.test does not publish the key.*v=DKIM1; p=MII/,
    ],
    [
      'a name that nobody reads',
      () => ({}),
      /SMPT_URL: nobody reads this name.*SMTP_URL is meant/,
      { envFile: 'SMPT_URL=x' },
    ],
    [
      'a value that Docker Compose reads differently',
      () => ({}),
      /SMTP_URL: its \$ or # is read differently.*single quotes/,
      { envFile: 'SMTP_URL=smtp://a:pa$wd@b' },
    ],
  ];
  for (const [fault, change, line, choice, other] of faults) {
    it(`${fault} is named in one line that says what to do`, async () => {
      const { result, mend } = await told({ ...healthy, ...change() }, choice, other);
      expect(mend.filter((one) => line.test(one))).toHaveLength(1);
      expect(result).toMatch(/^\d+ to mend\.$/);
    });
  }

  it('an inbox that the mail server refuses is named', async () => {
    mail.behaviour = { refuse: 'recipient', code: 550 };
    const { mend } = await told(healthy, { send: true }).finally(() => (mail.behaviour = 'accept'));
    expect(mend).toContainEqual(
      expect.stringMatching(/trial mails: to sales@acme\.test: .*550.*: does the address exist, and may MAIL_FROM/),
    );
  });

  it('a clock that is a minute slow is named', async () => {
    secondsFast = -60;
    const { mend } = await told(healthy).finally(() => (secondsFast = 0));
    expect(mend).toEqual([expect.stringMatching(/clock: (59|60|61) s slow: sudo timedatectl/)]);
  });

  it('a proxy that nginx does not know of is named', async () => {
    siteHeaders = {};
    const { mend } = await told(healthy).finally(
      () => (siteHeaders = { 'strict-transport-security': 'max-age=86400' }),
    );
    expect(mend).toEqual([expect.stringContaining('name it in TRUSTED_PROXIES')]);
  });

  it('a disk that is nearly full is named', async () => {
    const { mend } = await told(healthy, {}, { freeBytesMin: Number.MAX_SAFE_INTEGER });
    expect(mend).toEqual([expect.stringMatching(/disk: \d+ MiB free.*docker system prune/)]);
  });

  it('two SPF records, of which none counts, are named', async () => {
    const resolveTxt = async (name: string) => (name === 'acme.test' ? [['v=spf1 a'], ['v=spf1 b']] : [['v=DMARC1']]);
    expect((await told(healthy, {}, { resolveTxt })).mend).toEqual([expect.stringMatching(/SPF.*2 such TXT.*join/)]);
  });

  it('each name of .env.example is known', async () => {
    const names = [...readFileSync('../.env.example', 'utf8').matchAll(/^#(\w+)=/gm)].map(([, name]) => `${name}=x`);
    const { mend } = await told(healthy, { envFile: names.join('\n') });
    expect(mend).toEqual([]);
  });
});
