import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { lookup } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PassThrough } from 'node:stream';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { rootCertificates } from 'node:tls';
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Redis } from 'ioredis';
import { sql } from 'kysely';
import { freePort } from '../../test/free-port.ts';
import { MailServer } from '../../test/mail-server.ts';
import { CLIENT, OpenIdProvider } from '../../test/openid-provider.ts';
import { RedisServer } from '../../test/redis-server.ts';
import { sampled } from '../../test/sample.ts';
import { StoredSubmissions } from '../../test/stored-submissions.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { Database } from '../database/database.ts';
import { noteArchive, noteBackup } from '../database/last-runs.ts';
import { DOCTOR_LIMITS, type Outside } from '../doctor/finding.ts';
import { doctor, type DoctorOptions } from './doctor.ts';
import { Terminal } from './terminal.ts';

const USER = 'mailer';
const PASSWORD = 'right$word';

let redis: RedisServer;
let mail: MailServer;
let site: Server;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let healthy: Record<string, string>;
let outside: Outside;
let closedPort: number;
/** Site whose certificate expires in less than 14 days. */
let expiring: Server;
let expired: Server;
let foreign: Server;
let siteHeaders: Record<string, string>;
let siteStatus = 200;
/** SITE_URL of the pages' build; by default the right one, and none if empty. */
let builtWith: string | undefined;
/** Target of the redirect of the site's /inbox. */
let inboxLocation: string | undefined;
/** Status of the site's response to an empty form. */
let formStatus = 422;
/** Receiver of alerts. Its status is the path of the request; a redirect leads to the path /200. */
let receiver: Server;
/** Health checks of api and worker. */
let health: Server;
let checks: Record<string, object> = {};
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
  const lasting = certificateFor(15, 'certificate.pem');
  const short = certificateFor(14, 'short.pem');
  const past = certificateFor(-1, 'past.pem');
  const other = certificateFor(60, 'other.pem', 'other.test', '192.0.2.1');
  const answer = ({ method, headers, url }: IncomingMessage, response: ServerResponse) =>
    void response
      .writeHead(method === 'POST' ? formStatus : siteStatus, {
        ...siteHeaders,
        ...(url === '/inbox' && inboxLocation && { location: inboxLocation }),
      })
      .end(builtWith === '' ? '' : `<link rel="canonical" href="${builtWith ?? `https://${headers.host}`}/about">`);
  [site, expiring, expired, foreign] = [
    createServer(lasting, answer),
    createServer(short, answer),
    createServer(past, answer),
    createServer(other, answer),
  ];
  for (const one of [site, expiring, expired, foreign]) await once(one.listen(0, '127.0.0.1'), 'listening');
  health = createHttpServer((_, response) => void response.end(JSON.stringify({ ready: true, checks })));
  await once(health.listen(0, '127.0.0.1'), 'listening');
  receiver = createHttpServer(({ url = '' }, response) => {
    const status = Number(url.slice(1));
    if (status > 0) response.writeHead(status, status < 400 ? { location: '/200' } : {}).end();
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  outside = {
    resolveTxt: (name) =>
      Promise.resolve({ 'acme.test': [['v=spf1 ', '-all']], '_dmarc.acme.test': [['v=DMARC1; p=none']] }[name] ?? []),
    authorities: `${lasting.cert}${short.cert}${past.cert}${other.cert}`,
    limits: DOCTOR_LIMITS,
    lookup: (name) => lookup(name, { all: true }),
    freeBytesMin: 1,
    freeFilesMin: 1,
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
    API_URL: `http://127.0.0.1:${(health.address() as AddressInfo).port}`,
    WORKER_URL: `http://127.0.0.1:${(health.address() as AddressInfo).port}`,
  };
  await backedUp(1);
  siteHeaders = { 'strict-transport-security': 'max-age=86400' };
});
afterAll(async () => {
  for (const one of [site, expiring, expired, foreign, health, receiver]) one.close().closeAllConnections();
  await Promise.all([redis.stop(), mail.stop()]);
  await folder.remove();
});

const addressOf = (server: Server) => `https://localhost:${(server.address() as AddressInfo).port}`;

/** Creates a self-signed certificate in a file of this name, and its key in another one. A negative number of days is the past. */
function certificateFor(days: number, name: string, host = 'localhost', address = '127.0.0.1') {
  const [key, certificate] = [join(folder.path, `key-of-${name}`), join(folder.path, name)];
  const kind = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 60 -subj /CN=${host}`;
  const names = `-addext subjectAltName=DNS:${host},IP:${address}`;
  spawnSync('openssl', [...`${kind} ${names}`.split(' '), '-keyout', key, '-out', certificate]);
  // "req" takes no negative number of days.
  spawnSync('openssl', ['x509', '-in', certificate, '-signkey', key, '-days', `${days}`, '-out', certificate]);
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(certificate, 'utf8') };
}

/** Runs doctor, and returns its lines. */
async function diagnose(environment: Record<string, string>, choice: DoctorOptions = {}, other: Partial<Outside> = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const ended = doctor(new Terminal(stdout, stderr), environment, choice, { ...outside, ...other }).then(
    () => 'well',
    (error: Error) => error.message,
  );
  const result = await ended;
  stdout.end();
  const lines = (await text(stdout)).trim().split('\n');
  const [faults, notes] = ['FIX ', 'note '].map((word) => lines.filter((line) => line.startsWith(word))) as [
    string[],
    string[],
  ];
  return { result, lines, faults, notes };
}

/** Returns the tables of a database file without changing it. */
function tablesIn(file: string): unknown[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const tables = database.prepare('SELECT name FROM sqlite_master').all();
  database.close();
  return tables;
}

/** Records a backup made a number of days ago. */
async function backedUp(daysAgo: number, url = healthy.DATABASE_URL, missing = 0): Promise<void> {
  const database = await Database.open(url ?? '');
  await noteArchive(database, new Date(Date.now() - daysAgo * 86_400_000), missing);
  await noteBackup(database);
  await database.close();
}

describe('doctor', () => {
  it('reports incomplete erasures', async () => {
    const database = await Database.open(healthy.DATABASE_URL ?? '');
    const cleanUp = { id: 'KW-0', fileKey: null, since: Date.parse('2026-11-22T08:00:00Z') };
    await database.run((db) => db.insertInto('erasureCleanUps').values(cleanUp).execute());
    const { faults } = await diagnose(healthy);
    await database.run((db) => db.deleteFrom('erasureCleanUps').execute());
    await database.close();
    expect(faults).toContainEqual(expect.stringContaining('erasures: 1 incomplete, the oldest since 2026-11-22T08:00'));
  });

  it('reports a missing backup, an old one, and one that lacks files', async () => {
    const database = await Database.open(healthy.DATABASE_URL ?? '');
    await database.run((db) => db.deleteFrom('lastRuns').where('task', '=', 'backup').execute());
    await database.close();
    const { result, notes } = await diagnose(healthy);
    expect([result, notes]).toEqual([
      'well',
      expect.arrayContaining([expect.stringContaining('backup: there is none')]),
    ]);
    await backedUp(3);
    expect((await diagnose(healthy)).faults).toEqual([
      expect.stringContaining('backup: the latest that was kept elsewhere is 3 days old'),
    ]);
    await backedUp(2);
    expect((await diagnose(healthy)).faults).toEqual([
      expect.stringContaining('backup: the latest that was kept elsewhere is 2 days old'),
    ]);
    await backedUp(1.9);
    expect((await diagnose(healthy)).faults).toEqual([]);
    await backedUp(0, healthy.DATABASE_URL, 3);
    expect((await diagnose(healthy)).faults).toEqual([expect.stringContaining('backup: the latest lacks 3 résumés')]);
    await backedUp(0, healthy.DATABASE_URL, 1);
    expect((await diagnose(healthy)).faults).toEqual([expect.stringMatching(/backup: the latest lacks 1 résumé\./)]);
    await backedUp(1);
  });

  it('reports a missing backup as a fault > a submission is three days old', async () => {
    const stored = await StoredSubmissions.open(join(folder.path, 'old'));
    await stored.enquiry();
    const receivedAt = Date.now() - 3 * 86_400_000;
    await stored.database.run((db) => db.updateTable('submissions').set({ receivedAt }).execute());
    await stored.database.close();
    const { faults } = await diagnose({ ...healthy, ...stored.environment, REDIS_URL: redis.url });
    expect(faults).toEqual([expect.stringContaining('backup: there is none yet')]);
  });

  it('reports a sign-on provider that is unavailable, wrong, or without users', async () => {
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const provider = await OpenIdProvider.start([]);
    // Announces an issuer with a slash at its end.
    const slash = createHttpServer(({ url, headers }, response) => {
      const issuer = `http://${headers.host}/realms/a/`;
      if (url?.startsWith('/realms/a/'))
        response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ issuer }));
      else response.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    await once(slash, 'listening');
    const announcing = `http://127.0.0.1:${(slash.address() as AddressInfo).port}`;
    const withIssuer = (OIDC_ISSUER: string, INBOX_USERS = 'hana@acme.test:hr:oidc') =>
      diagnose({ ...healthy, ...CLIENT, OIDC_ISSUER, INBOX_USERS });
    const away = await withIssuer(`http://127.0.0.1:${closedPort}`);
    expect(away.faults).toEqual([expect.stringMatching(/single sign-on: .*ECONNREFUSED/)]);
    for (const issuer of [provider.issuer.replace('127.0.0.1', 'localhost'), `${announcing}/realms/a`]) {
      const { faults } = await withIssuer(issuer);
      expect(faults).toEqual([expect.stringMatching(/the issuer that the provider announces differs .*: http/)]);
    }
    const missing = await withIssuer(`${announcing}/missing`);
    expect(missing.faults).toEqual([
      expect.stringContaining('OIDC_ISSUER is exactly what the provider calls "issuer"'),
    ]);
    slash.close().closeAllConnections();
    const unused = await withIssuer(provider.issuer, '');
    expect(unused.faults).toEqual([expect.stringContaining('no user can sign in with it')]);
    const right = await withIssuer(provider.issuer);
    expect([right.faults, right.lines.includes('ok    single sign-on')]).toEqual([[], true]);
    await provider.stop();
  });

  it('names the fault > Redis answers and rejects writes or the login', async () => {
    const server = await RedisServer.start();
    const operator = new Redis(server.url);
    const faults = async (REDIS_URL = server.url) => (await diagnose({ ...healthy, REDIS_URL })).faults;
    try {
      await operator.config('SET', 'maxmemory', '1');
      expect(await faults()).toEqual([expect.stringMatching(/redis: it.* full \(OOM\)/)]);
      await operator.config('SET', 'maxmemory', '0');
      await operator.replicaof('127.0.0.1', closedPort);
      expect(await faults()).toEqual([expect.stringMatching(/redis: .*replica \(READONLY\)/)]);
      await operator.replicaof('NO', 'ONE');
      await operator.config('SET', 'requirepass', 'right');
      expect(await faults()).toEqual([expect.stringMatching(/redis: .*password \(NOAUTH\)/)]);
      const wrong = await faults(server.url.replace('//', '//:wrong@'));
      expect(wrong).toEqual([expect.stringMatching(/redis: .*\(WRONGPASS\)/)]);
      expect(await faults(server.url.replace('//', '//:right@'))).toEqual([]);
    } finally {
      operator.disconnect();
      await server.stop();
    }
  });

  it('reports a host of the inbox that is not set up', async () => {
    const answers: Record<string, readonly [status: number, location?: string]> = {};
    const inbox = createHttpServer(({ url = '' }, response) => {
      const [status, location] = answers[url] ?? [404];
      response.writeHead(status, location ? { location } : {}).end();
    }).listen(0, '127.0.0.1');
    await once(inbox, 'listening');
    const INBOX_URL = `http://127.0.0.1:${(inbox.address() as AddressInfo).port}`;
    const INBOX_USERS = `sam:all:scrypt.10.1.${'A'.repeat(22)}.${'A'.repeat(43)}`;
    const faults = async () =>
      (await diagnose({ ...healthy, INBOX_URL, INBOX_USERS })).faults.map((line) => line.replace(/^FIX +/, ''));
    expect(await faults()).toEqual([
      expect.stringContaining(`${INBOX_URL}: the inbox answers 404 and not the sign-in`),
    ]);
    answers['/inbox'] = [303, '/inbox/sign-in?to=%2Finbox'];
    answers['/about'] = [200];
    expect(await faults()).toEqual([expect.stringContaining('the host of the inbox has the pages of the site')]);
    delete answers['/about'];
    expect(await faults()).toEqual([expect.stringContaining('/inbox does not lead there')]);
    inboxLocation = `${INBOX_URL}/inbox`;
    expect(await faults()).toEqual([]);
    inboxLocation = undefined;
    inbox.close().closeAllConnections();
    expect(await faults()).toEqual([expect.stringContaining(`${INBOX_URL}: cannot be reached (ECONNREFUSED)`)]);
  });

  it('reports no fault > the installation is healthy', async () => {
    const { result, lines, faults } = await diagnose(healthy, {
      envFile: "SMTP_URL='smtp://a:b$c@d'\nVERSION=1.2.3\n",
    });
    expect([faults, result]).toEqual([[], 'well']);
    expect(lines.length).toBeGreaterThanOrEqual(9);
  });

  it('sends trial mails to both inboxes and a trial alert > --send', async () => {
    const chat = createHttpServer((question, response) => {
      question.on('data', (chunk: Buffer) => posted.push(chunk.toString()));
      question.on('end', () => response.end());
    }).listen(0, '127.0.0.1');
    await once(chat, 'listening');
    const { faults } = await diagnose(
      { ...healthy, ALERT_WEBHOOK_URL: `http://127.0.0.1:${(chat.address() as AddressInfo).port}` },
      { send: true },
    );
    chat.close();
    expect(faults).toEqual([]);
    expect(mail.recipients).toEqual(['sales@acme.test', 'jobs@acme.test']);
    expect(posted.join('')).toContain('trial alert');
  });

  const faults: readonly [
    fault: string,
    change: () => Record<string, string>,
    line: RegExp,
    choice?: DoctorOptions,
    other?: Partial<Outside>,
  ][] = [
    ['a wrong setting', () => ({ RATE_LIMIT_PER_MINUTE: 'many' }), /^FIX {3}settings: RATE_LIMIT_PER_MINUTE must/],
    [
      "the example's address",
      () => ({ HR_INBOX: 'careers@kitewright.example' }),
      /settings: HR_INBOX has an address under \.example/,
    ],
    ['a recipient without a service', () => ({ RECIPIENTS: 'SAP = sap@acme.test' }), /settings: RECIPIENTS has "SAP"/],
    ['no mail account', () => ({ SMTP_URL: '' }), /settings: SMTP_URL is not set/],
    [
      'a wrong password of the mail server',
      () => ({ SMTP_URL: `smtp://${USER}:wrong@127.0.0.1:${mail.port}` }),
      /mail server: .*\(SMTP 535[^)]*\)\. Check user and password in SMTP_URL\. Write special characters as %40/,
    ],
    [
      'a closed port of the mail server',
      () => ({ SMTP_URL: `smtp://127.0.0.1:${closedPort}` }),
      /mail server: .*\(ECONNREFUSED\)\. Check host and port in SMTP_URL\. .*use 465/,
    ],
    [
      'a login without STARTTLS over a network',
      () => ({ SMTP_URL: healthy['SMTP_URL']?.replace('@127.0.0.1', '@0.0.0.0') ?? '' }),
      /mail server: .*does not offer STARTTLS \(SMTP 50\d[^)]*\).*Use smtps:\/\/ in SMTP_URL, or add \?requireTLS=false/,
    ],
    [
      'a mail server with implicit TLS, without smtps://',
      () => ({ SMTP_URL: 'smtp://127.0.0.1:465' }),
      /mail server: .*\. Port 465 needs smtps:\/\/ in SMTP_URL/,
    ],
    [
      'a mail server with STARTTLS, with smtps://',
      () => ({ SMTP_URL: 'smtps://127.0.0.1:587' }),
      /mail server: .*\. Port 587 needs smtp:\/\/ in SMTP_URL/,
    ],
    [
      'a mail server with STARTTLS on port 25, with smtps://',
      () => ({ SMTP_URL: 'smtps://127.0.0.1:25' }),
      /mail server: .*\. Port 25 needs smtp:\/\/ in SMTP_URL/,
    ],
    [
      'a mail server that trial mails cannot reach',
      () => ({ SMTP_URL: `smtp://127.0.0.1:${closedPort}` }),
      /trial mails: to sales@acme\.test: .*\(ECONNREFUSED\)\. Check host and port in SMTP_URL/,
      { send: true },
    ],
    [
      'a name in .env that was a setting',
      () => ({}),
      /FIX {3}DOMAIN: is no setting any more\. Write the site's host into SITE_URL/,
      { envFile: "DOMAIN='acme.test'" },
    ],
    [
      'a sender’s domain without DNS records',
      () => ({ MAIL_FROM: 'website@other.test' }),
      /SPF of other\.test: .* begins with v=spf1.*\. Add one, such as v=spf1 include:/,
    ],
    ['an unavailable Redis', () => ({ REDIS_URL: `redis://127.0.0.1:${closedPort}` }), /redis: does not answer/],
    [
      'an api that does not run',
      () => ({ API_URL: `http://127.0.0.1:${closedPort}` }),
      /FIX {3}api: http:\/\/127\.0\.0\.1:\d+ does not answer \(ECONNREFUSED\)\. Check that it runs: docker compose ps/,
    ],
    [
      'a worker whose name is unknown',
      () => ({ WORKER_URL: 'http://no-such-name.invalid:3001' }),
      /FIX {3}worker: no-such-name\.invalid cannot be looked up \(\w+\)\. Check that it runs/,
    ],
    [
      'a database that does not exist',
      () => ({ DATABASE_URL: `file:${join(folder.path, 'none/submissions.db')}` }),
      /FIX {3}storage: DATABASE_URL: has yet to create or change the tables. If both run/,
    ],
    [
      'an unavailable database',
      () => ({ DATABASE_URL: `postgres://a:b@127.0.0.1:${closedPort}/c` }),
      /storage: .*ECONNREFUSED.*\. See docs\/operations\.md#the-database-fails/,
    ],
    [
      'an unavailable object store',
      () => ({
        RESUMES_URL: 's3://bucket/prefix?path-style',
        AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${closedPort}`,
        AWS_ACCESS_KEY_ID: 'a',
        AWS_SECRET_ACCESS_KEY: 'b',
        AWS_REGION: 'eu-central-1',
      }),
      /files of résumés: .*\. See docs\/deployment\.md#résumés-in-object-storage/,
    ],
    [
      'an unreachable site',
      () => ({ SITE_URL: `https://localhost:${closedPort}` }),
      /cannot be reached \(ECONNREFUSED\)\. Check that ports 80 and 443 are open/,
    ],
    [
      'a folder of résumés that is a file',
      () => ({ RESUMES_URL: `file:${join(folder.path, 'submissions.db')}` }),
      /files of résumés: .*\. See docs\/operations\.md#files-are-missing/,
    ],
    ['a page that is missing', () => ((siteStatus = 404), {}), /localhost:\d+: answers 404\. See docker compose ps -a/],
    ['pages without an address', () => ((builtWith = ''), {}), /the pages were built with no SITE_URL\. Run docker/],
    ...['example', 'example.org', 'example.com', 'www.kitewright.example'].map((host): (typeof faults)[number] => [
      `the example's SITE_URL https://${host}`,
      () => ({ SITE_URL: `https://${host}` }),
      /settings: SITE_URL is the example's\. Write yours into \.env/,
    ]),
    [
      'a site without DNS records',
      () => ({ SITE_URL: 'https://no-such-name.invalid' }),
      /cannot be reached \(\w+\)\. The name has no DNS records yet\. Add those of/,
    ],
    [
      'an untrusted certificate',
      () => ({ SITE_URL: addressOf(site) }),
      /cannot be reached \(\w*SELF_SIGNED\w*\)\. There is no certificate yet.*docker compose logs caddy nginx/,
      {},
      { authorities: rootCertificates.join('\n') },
    ],
    [
      'a certificate that expires soon',
      () => ({ SITE_URL: addressOf(expiring) }),
      /the certificate ends in 13 days and was not renewed\. See docker compose logs caddy/,
    ],
    [
      'an expired certificate',
      () => ({ SITE_URL: addressOf(expired) }),
      /cannot be reached \(CERT_HAS_EXPIRED\)\. The certificate has expired and was not renewed\./,
    ],
    [
      'a certificate for another name',
      () => ({ SITE_URL: addressOf(foreign) }),
      /cannot be reached \(ERR_TLS_CERT_ALTNAME_INVALID\)\. The certificate is for another name\. Check SITE_URL/,
    ],
    [
      'DNS records that cannot be looked up',
      () => ({}),
      /DMARC of acme\.test: .*\(ETIMEOUT\)\. .*\/etc\/resolv\.conf/,
      {},
      { resolveTxt: () => Promise.reject(Object.assign(new Error('queryTxt'), { code: 'ETIMEOUT' })) },
    ],
    ...['ENOTFOUND', 'ENODATA'].map((code): (typeof faults)[number] => [
      `a sender's domain without DNS records (${code})`,
      () => ({}),
      /SPF of acme\.test: acme\.test has no TXT record that begins with v=spf1/,
      {},
      { resolveTxt: () => Promise.reject(Object.assign(new Error('queryTxt'), { code })) },
    ]),
    [
      'an unreachable receiver of alerts',
      () => ({ ALERT_WEBHOOK_URL: `http://127.0.0.1:${closedPort}` }),
      /trial alert: ALERT_WEBHOOK_URL cannot be reached \(ECONNREFUSED\)/,
      { send: true },
    ],
    [
      'a DKIM key that is not published',
      () => ({
        DKIM_PRIVATE_KEY: `web._domainkey.acme.test\n${generateKeyPairSync('rsa', {
          modulusLength: 2048,
        }).privateKey.export({ type: 'pkcs8', format: 'pem' })}`,
      }),
      /DKIM: web\._domainkey\.acme\.test does not publish the key.*v=DKIM1; p=MII/,
    ],
    [
      'an unknown name in .env',
      () => ({}),
      /SMPT_URL: no program reads this name in \.env\. Do you mean SMTP_URL\?/,
      { envFile: 'SMPT_URL=x' },
    ],
    [
      'a certificate that expires soon, and a form that is rejected',
      () => ((formStatus = 502), { SITE_URL: addressOf(expiring) }),
      /the certificate ends in 13 days.*; a form that is sent gets 502/,
    ],
    [
      'a disk without free inodes',
      () => ({}),
      /disk: \d+ files can still be created.*df -i/,
      {},
      { freeFilesMin: Number.MAX_SAFE_INTEGER },
    ],
    ...sampled([301, 302, 307, 401, 404, 500], [301, 404]).map((status): (typeof faults)[number] => [
      `a receiver of alerts that answers ${status}`,
      () => ({ ALERT_WEBHOOK_URL: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${status}` }),
      new RegExp(`trial alert: ALERT_WEBHOOK_URL answers ${status}${status < 400 ? ', a redirect' : ''}`),
      { send: true },
    ]),
    [
      'a receiver of alerts that does not answer',
      () => ({ ALERT_WEBHOOK_URL: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/0` }),
      /trial alert: ALERT_WEBHOOK_URL cannot be reached \(TimeoutError\)/,
      { send: true },
      { alertTimeoutMs: 100 },
    ],
  ];
  for (const [fault, change, line, choice, other] of faults) {
    it(`reports ${fault} in one line with the remedy`, async () => {
      const { result, faults } = await diagnose({ ...healthy, ...change() }, choice, other);
      [formStatus, siteStatus, builtWith] = [422, 200, undefined];
      expect(faults.filter((one) => line.test(one))).toHaveLength(1);
      expect(result).toMatch(/^Faults to fix: \d+\.$/);
    });
  }

  it('reports an inbox that the mail server rejects > --send', async () => {
    mail.behaviour = { refuse: 'recipient', code: 550 };
    const { faults } = await diagnose(healthy, { send: true }).finally(() => (mail.behaviour = 'accept'));
    expect(faults).toContainEqual(
      expect.stringMatching(
        /trial mails: to sales@acme\.test: .*550.*\. Check that the address exists, and that the account may send as MAIL_FROM/,
      ),
    );
  });

  it('reports the second inbox, which alone is rejected > --send', async () => {
    const other = await MailServer.start({
      onRcptTo: ({ address }, _session, done) =>
        done(address.startsWith('jobs') ? Object.assign(new Error('no such user'), { responseCode: 550 }) : null),
    });
    const { faults } = await diagnose({ ...healthy, SMTP_URL: other.url }, { send: true }).finally(() => other.stop());
    expect(faults).toEqual([expect.stringMatching(/trial mails: to jobs@acme\.test: .*550/)]);
  });

  it('reports a server that rejects the empty envelope sender > ACKNOWLEDGE=on', async () => {
    const strict = await MailServer.start({
      onMailFrom: ({ address }, _session, done) =>
        done(address ? null : Object.assign(new Error('null sender refused'), { responseCode: 501 })),
    });
    const change = { SMTP_URL: strict.url, ACKNOWLEDGE: 'on' };
    const { faults } = await diagnose({ ...healthy, ...change }, { send: true }).finally(() => strict.stop());
    expect(faults).toEqual([
      expect.stringMatching(/trial acknowledgement: .*501.*empty envelope sender.*ACKNOWLEDGE=off/),
    ]);
    expect(strict.recipients).toEqual(['sales@acme.test', 'jobs@acme.test']);
  });

  it('reports causes of the health checks of api and worker', async () => {
    checks = { storage: { status: 'down', cause: 'DATABASE_URL: SQLITE_READONLY' }, redis: { status: 'ok' } };
    const { faults } = await diagnose(healthy).finally(() => (checks = {}));
    expect(faults).toEqual([
      'FIX   api: storage: DATABASE_URL: SQLITE_READONLY',
      'FIX   worker: storage: DATABASE_URL: SQLITE_READONLY',
    ]);
  });

  it('prints the remedy that a process reports > it has no check of this name', async () => {
    const quarantine = { status: 'degraded', cause: '1001 submissions are quarantined', advice: 'Mark spam' } as const;
    checks = { quarantine };
    const { faults } = await diagnose(healthy).finally(() => (checks = {}));
    expect(faults).toContain('FIX   worker: quarantine: 1001 submissions are quarantined. Mark spam');
  });

  it('prints a cause of the worker unless it is one of its own, whatever the name', async () => {
    const environment = {
      ...healthy,
      HR_INBOX: 'careers@kitewright.example',
      REDIS_URL: `redis://127.0.0.1:${closedPort}`,
      DATABASE_URL: `file:${join(folder.path, 'none.db')}`,
    };
    const own = (await diagnose(environment)).faults;
    expect(own.map((line) => /^FIX {3}([^:]*)/.exec(line)?.[1])).toEqual(['settings', 'redis', 'storage']);
    const [settings, redis, storage] = own.map((line) => ({
      status: 'down',
      cause: line.replace(/^FIX {3}[^:]*: /, '').replace(/\. (?:Run|See) .*/, ''),
    }));
    const other = { status: 'degraded', cause: 'another one' };
    const lines = (expected: string) => [...own.slice(0, 3), `FIX   api: ${expected}`, `FIX   worker: ${expected}`];
    const reported = async (report: typeof checks) => {
      checks = report;
      return (await diagnose(environment).finally(() => (checks = {}))).faults;
    };
    expect(await reported({ settings: other, redis: other, storage: other })).toEqual(
      lines('settings: another one; redis: another one; storage: another one'),
    );
    expect(await reported({ settings, redis, storage } as typeof checks)).toEqual(own);
  });

  it('names the address for SITE_URL > the site redirects', async () => {
    [siteStatus, siteHeaders] = [308, { ...siteHeaders, location: 'https://www.acme.test/about' }];
    const { faults } = await diagnose(healthy);
    [siteStatus, siteHeaders] = [200, { 'strict-transport-security': 'max-age=86400' }];
    expect(faults).toEqual([
      expect.stringMatching(/redirects to https:\/\/www\.acme\.test\. Write that address into SITE_URL/),
    ]);
  });

  it('names the SITE_URL of the build > it is another one', async () => {
    builtWith = 'https://kitewright.example';
    const { faults } = await diagnose(healthy).finally(() => (builtWith = undefined));
    expect(faults).toEqual([
      expect.stringMatching(/pages were built with https:\/\/kitewright\.example SITE_URL.*docker compose build site/),
    ]);
  });

  it('prints a note and no fault > ALERT_WEBHOOK_URL is not set', async () => {
    const { result, notes } = await diagnose(healthy);
    expect([result, notes]).toEqual(['well', [expect.stringContaining('ALERT_WEBHOOK_URL: is not set')]]);
  });

  it('names the certificate > TLS fails before there is one', async () => {
    const plain = createHttpServer().listen(0, '127.0.0.1');
    await once(plain, 'listening');
    const { faults } = await diagnose({ ...healthy, SITE_URL: addressOf(plain) }).finally(() => plain.close());
    expect(faults).toEqual([expect.stringMatching(/\((EPROTO|ERR_SSL\w+)\)\. There is no certificate yet/)]);
  });

  it('reports that the api does not answer a form > nginx answers it', async () => {
    formStatus = 502;
    const { faults } = await diagnose(healthy).finally(() => (formStatus = 422));
    expect(faults).toEqual([
      expect.stringMatching(/https.*: a form that is sent gets 502 and not the answer of the api/),
    ]);
  });

  it('creates nothing > there is no database', async () => {
    await diagnose({ ...healthy, DATABASE_URL: `file:${join(folder.path, 'none/submissions.db')}` });
    expect(existsSync(join(folder.path, 'none'))).toBe(false);
    const empty = join(folder.path, 'empty.db');
    writeFileSync(empty, '');
    expect((await diagnose({ ...healthy, DATABASE_URL: `file:${empty}` })).faults).toContainEqual(
      expect.stringContaining('has yet to create or change the tables'),
    );
    expect(tablesIn(empty)).toEqual([]);
  });

  it('reports a database of a newer version, and does not read it', async () => {
    const file = join(folder.path, 'newer.db');
    const database = await Database.open(`file:${file}`);
    await database.run((db) => sql`INSERT INTO kysely_migration VALUES ('9999-later', '2099-01-01')`.execute(db));
    await database.close();
    const { faults } = await diagnose({ ...healthy, DATABASE_URL: `file:${file}` });
    const problem = 'DATABASE_URL names a database that a newer version of this service has changed';
    expect(faults).toContainEqual(expect.stringContaining(`storage: ${problem}. `));
    // Other checks that need the database are left out.
    expect(faults.filter((line) => line.includes(problem))).toHaveLength(1);
  });

  it('reports résumés of another installation, and an unmounted folder', async () => {
    const stored = await StoredSubmissions.open(join(folder.path, 'other'));
    await stored.application();
    await backedUp(0, stored.environment['DATABASE_URL']);
    const other = { ...healthy, ...stored.environment, REDIS_URL: redis.url };
    const at = (name: string) => ({ ...other, RESUMES_URL: `file:${join(folder.path, name)}` });
    expect((await diagnose(at('not-mounted'))).faults).toEqual([expect.stringContaining('Is the folder mounted?')]);
    await stored.files.mark('another');
    await stored.database.close();
    expect((await diagnose(at('other/resumes'))).faults).toEqual([
      expect.stringContaining('files of résumés: RESUMES_URL: these are the résumés of another installation'),
    ]);
  });

  it('reports a proxy that nginx does not trust', async () => {
    siteHeaders = {};
    const { faults } = await diagnose(healthy).finally(
      () => (siteHeaders = { 'strict-transport-security': 'max-age=86400' }),
    );
    expect(faults).toEqual([expect.stringContaining('Add it to TRUSTED_PROXIES')]);
  });

  it('checks the disk > the path has blanks, a percent sign and umlauts', async () => {
    const path = join(folder.path, 'My Projects 100% für uns');
    mkdirSync(path);
    const DATABASE_URL = pathToFileURL(join(path, 'submissions.db')).href;
    await backedUp(1, DATABASE_URL);
    const { faults } = await diagnose({ ...healthy, DATABASE_URL, RESUMES_URL: '' });
    expect(faults).toEqual([]);
  });

  it('reports a disk that is nearly full', async () => {
    const { faults } = await diagnose(healthy, {}, { freeBytesMin: Number.MAX_SAFE_INTEGER });
    expect(faults).toEqual([expect.stringMatching(/disk: \d+ MiB are free.*docker system prune/)]);
  });

  const [SHARED_MEMORY, TEMPORARY] = ['/dev/shm', tmpdir()];
  const disks = [SHARED_MEMORY, TEMPORARY].filter((path) => existsSync(path));
  const isOneDisk = new Set(disks.map((path) => statSync(path).dev)).size < 2;
  (isOneDisk ? it.skip : it).each([
    ['of the database', 0],
    ['of the files', 1],
  ])('reports a disk that is nearly full > that %s', async (_what, small) => {
    const folders = disks.map((disk) => mkdtempSync(join(disk, 'kitewright-doctor-')));
    const free = folders.map((path) => statfsSync(path)).map(({ bavail, bsize }) => bavail * bsize);
    // The smaller disk is the one in question.
    const places = (free[small] ?? 0) < (free[1 - small] ?? 0) ? folders : folders.toReversed();
    const [database = '', files = ''] = places;
    const settings = {
      DATABASE_URL: `file:${join(database, 'submissions.db')}`,
      RESUMES_URL: `file:${join(files, 'x')}`,
    };
    await backedUp(1, settings.DATABASE_URL);
    const freeBytesMin = (Math.min(...free) + Math.max(...free)) / 2;
    const { lines } = await diagnose({ ...healthy, ...settings }, {}, { freeBytesMin });
    for (const path of folders) rmSync(path, { recursive: true });
    expect(lines).toContainEqual(expect.stringMatching(/disk: \d+ MiB are free/));
  });

  it('accepts a published key of DKIM > in two parts, next to another record', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    const DKIM_PRIVATE_KEY = `web._domainkey.acme.test\n${pem}`.replaceAll('\n', '\\n');
    const records = [['v=DKIM1; p=other'], ['v=DKIM1; k=rsa; p=', `${key.slice(0, 60)} ${key.slice(60)}; t=s`]];
    const resolveTxt = async (name: string) =>
      name === 'web._domainkey.acme.test' ? records : outside.resolveTxt(name);
    const { lines } = await diagnose({ ...healthy, DKIM_PRIVATE_KEY }, {}, { resolveTxt });
    expect(lines).toContain('ok    DKIM');
  });

  it('accepts a receiver of alerts that answers 200', async () => {
    const ALERT_WEBHOOK_URL = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/200`;
    const { result, lines } = await diagnose({ ...healthy, ALERT_WEBHOOK_URL }, { send: true });
    expect([result, lines]).toEqual(['well', expect.arrayContaining(['ok    trial alert'])]);
  });

  it('accepts the DMARC record of a parent domain', async () => {
    const records: Record<string, string[][]> = {
      'a.mail.acme.test': [['v=spf1 -all']],
      '_dmarc.acme.test': [['v=DMARC1; p=none']],
      '_dmarc.test': [['v=DMARC1; p=none']],
    };
    const resolveTxt = (name: string) => Promise.resolve(records[name] ?? []);
    const of = (MAIL_FROM: string) => diagnose({ ...healthy, MAIL_FROM }, {}, { resolveTxt });
    expect((await of('website@a.mail.acme.test')).faults).toEqual([]);
    records['_dmarc.acme.test'] = [];
    expect((await of('website@a.mail.acme.test')).faults).toEqual([
      expect.stringContaining('_dmarc.a.mail.acme.test has no TXT record'),
    ]);
  });

  it('looks up SPF of the envelope sender > MAIL_BOUNCES_TO is set', async () => {
    const { lines, faults } = await diagnose({ ...healthy, MAIL_BOUNCES_TO: 'bounces@other.test' });
    expect(faults).toEqual([expect.stringContaining('SPF of other.test: other.test has no TXT record')]);
    expect(lines).toContain('ok    DMARC of acme.test');
  });

  it('leaves out what only a public site has > a trial', async () => {
    const trial = { ...healthy, NODE_ENV: 'development', SITE_URL: 'https://kitewright.example' };
    const addresses = { MAIL_FROM: 'website@kitewright.example', HR_INBOX: 'careers@kitewright.example' };
    const { result, notes, lines } = await diagnose({ ...trial, ...addresses });
    expect([result, notes]).toEqual(['well', expect.arrayContaining([expect.stringContaining('trial: ')])]);
    expect(lines).toContain('ok    mail server');
    const inContainers = await diagnose({ ...trial, ...addresses, SMTP_URL: 'smtp://mail:1025' });
    expect(inContainers.notes.join()).toContain('trial: ');
  });

  it("checks a public site > the trial's compose file is used with a mail server of its own", async () => {
    const SMTP_URL = `smtp://localhost:${mail.port}`;
    const { notes, faults } = await diagnose({
      ...healthy,
      NODE_ENV: 'development',
      SMTP_URL,
      MAIL_FROM: 'a@other.test',
    });
    expect(notes.join()).not.toContain('trial: ');
    expect(faults).toContainEqual(expect.stringContaining('SPF of other.test'));
  });

  it('reports two SPF records, which receivers ignore', async () => {
    const resolveTxt = async (name: string) => (name === 'acme.test' ? [['v=spf1 a'], ['v=spf1 b']] : [['v=DMARC1']]);
    expect((await diagnose(healthy, {}, { resolveTxt })).faults).toEqual([
      expect.stringMatching(/SPF.*2 such TXT.*Join/),
    ]);
  });
});
