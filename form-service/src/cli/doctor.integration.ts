import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import tls from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { freePort } from '../../test/free-port.ts';
import { MailServer } from '../../test/mail-server.ts';
import { CLIENT, OpenIdProvider } from '../../test/openid-provider.ts';
import { RedisServer } from '../../test/redis-server.ts';
import { StoredSubmissions } from '../../test/stored-submissions.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { noteArchive, noteBackup } from '../database/properties.ts';
import { doctor } from './doctor.ts';
import { Terminal } from './terminal.ts';

const SCRIPT = 'document.documentElement.dataset.js = 1';
const PAGE = `<script>${SCRIPT}</script><script type="application/ld+json">{}</script>`;
const POLICY = { 'content-security-policy': `script-src 'self' 'sha256-${hash('sha256', SCRIPT, 'base64')}'` };
const HSTS = { 'strict-transport-security': 'max-age=86400' };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let stored: StoredSubmissions;
let redis: RedisServer;
let mail: MailServer;
let healthy: Record<string, string>;
const servers: Server[] = [];
let provider: OpenIdProvider;
/** Address of a server, by its name. */
const at: Record<string, string> = {};
/** Answer of the site to an empty form. */
let site: readonly [status: number, headers: Record<string, string>];
/** The home page, whose policy allows the script of {@link PAGE}. */
let page: string;
/** Checks that api and worker report. */
let checks: object;
const posts: string[] = [];

async function listen(name: string, server: Server): Promise<void> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  servers.push(server);
  at[name] = `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Creates a self-signed certificate. */
function newCertificate() {
  const [key, certificate] = [join(folder.path, 'site.key'), join(folder.path, 'site.pem')];
  const kind = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 60 -subj /CN=localhost';
  const names = '-addext subjectAltName=DNS:localhost,IP:127.0.0.1';
  spawnSync('openssl', [...`${kind} ${names}`.split(' '), '-keyout', key, '-out', certificate]);
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(certificate, 'utf8') };
}

beforeAll(async () => {
  // The provider warns that it is not set up for production.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  folder = await temporaryFolder();
  stored = await StoredSubmissions.open(folder.path);
  await noteArchive(stored.database, new Date());
  await noteBackup(stored.database);
  [redis, mail, provider] = await Promise.all([RedisServer.start(), MailServer.start(), OpenIdProvider.start([])]);
  const known = newCertificate();
  at['closed'] = `127.0.0.1:${await freePort()}`;
  tls.setDefaultCACertificates([known.cert]);
  const answer: RequestListener = ({ method }, response) =>
    void (method === 'GET' ? response.writeHead(200, POLICY).end(page) : response.writeHead(...site).end());
  await listen('site', createServer(known, answer));
  const report = () => JSON.stringify({ ready: true, version: '1.2.3 (abc)', checks });
  await listen(
    'health',
    createHttpServer((_, response) => void response.end(report())),
  );
  const receive: RequestListener = (request, response) =>
    void text(request).then((body) => {
      posts.push(body);
      response.writeHead(Number(request.url?.slice(1))).end();
    });
  await listen('chat', createHttpServer(receive));
  healthy = {
    ...stored.environment,
    SITE_URL: `https://${at['site']}`,
    SALES_INBOX: 'sales@acme.test',
    HR_INBOX: 'jobs@acme.test',
    MAIL_FROM: 'website@acme.test',
    SMTP_URL: mail.url,
    REDIS_URL: redis.url,
    API_URL: `http://${at['health']}`,
    WORKER_URL: `http://${at['health']}`,
    ALERT_WEBHOOK_URL: `http://${at['chat']}/200`,
  };
});
beforeEach(() => {
  [site, page, checks] = [[422, HSTS], PAGE, {}];
});
afterAll(async () => {
  tls.setDefaultCACertificates(tls.getCACertificates('bundled'));
  for (const one of servers) one.close().closeAllConnections();
  await Promise.all([redis.stop(), mail.stop(), provider.stop()]);
  await stored.database.close();
  await folder.remove();
});

/** Runs doctor with changed settings, and returns its lines. */
async function diagnose(changes: Record<string, string> = {}, isSending = false) {
  const stdout = new PassThrough();
  const ended = await doctor(new Terminal(stdout, new PassThrough()), { ...healthy, ...changes }, isSending).then(
    () => 'well',
    ({ message }: Error) => message,
  );
  stdout.end();
  const lines = (await text(stdout)).trim().split('\n');
  const faults = lines.filter((line) => line.startsWith('FIX ')).map((line) => line.slice(6));
  return { ended, lines, faults };
}

// Node.js 22.18 cannot trust a certificate of a test.
('setDefaultCACertificates' in tls ? describe : describe.skip)('doctor', () => {
  it('prints versions, a line for each check, and no fault > all is well', async () => {
    const signOn = { ...CLIENT, OIDC_ISSUER: provider.issuer, INBOX_USERS: 'hana@acme.test:hr:oidc' };
    const { ended, lines } = await diagnose({ ...signOn, ACKNOWLEDGE: 'on' }, true);
    const well = ['settings', 'storage', 'disk', 'redis', 'deliveries', 'notifications', 'erasures', 'backup'];
    const outside = ['mail server', 'files', 'single sign-on'];
    const trials = [healthy['SITE_URL'] ?? '', 'trial mails', 'trial alert'];
    expect(lines).toEqual([
      expect.stringMatching(/^note {2}version: \d+\.\d+\.\d+/),
      ...[...well, ...outside, ...trials].map((name) => `ok    ${name}`),
      'ok    api: version 1.2.3 (abc)',
      'ok    worker: version 1.2.3 (abc)',
    ]);
    expect([ended, mail.recipients.toSorted()]).toEqual([
      'well',
      ['jobs@acme.test', 'sales@acme.test', 'sales@acme.test'],
    ]);
    expect(posts.join()).toContain('trial alert');
  });

  const SETTINGS: readonly (readonly [setting: string, value: () => string, fault: string, isSent?: boolean])[] = [
    ['HR_INBOX', () => 'jobs@kitewright.example', 'settings: HR_INBOX has an address under .example'],
    ['RECIPIENTS', () => 'SAP = sap@acme.test', 'settings: RECIPIENTS has "SAP"'],
    ['SMTP_URL', () => `smtp://${at['closed']}`, 'mail server: .*ECONNREFUSED'],
    ['SMTP_URL', () => `smtp://${at['closed']}`, 'trial mails: to sales@acme.test: .*ECONNREFUSED', true],
    ['REDIS_URL', () => `redis://${at['closed']}`, 'redis: does not answer'],
    ['API_URL', () => `http://${at['closed']}`, 'api: cannot be reached (ECONNREFUSED)'],
    ['WORKER_URL', () => `http://${at['closed']}`, 'worker: cannot be reached (ECONNREFUSED)'],
    ['DATABASE_URL', () => `file:${folder.path}/none/x.db`, 'storage: DATABASE_URL: the file does not exist'],
    ['RESUMES_URL', () => `file:${folder.path}/submissions.db`, 'files: RESUMES_URL: '],
    ['SITE_URL', () => `https://${at['closed']}`, ': cannot be reached (ECONNREFUSED)'],
    ['OIDC_ISSUER', () => provider.issuer.replace('127.0.0.1', 'localhost'), 'single sign-on: '],
    ['ALERT_WEBHOOK_URL', () => `http://${at['chat']}/301`, 'trial alert: ALERT_WEBHOOK_URL answers 301', true],
  ];
  it.each(SETTINGS)('names the fault in a line > %s, case %#', async (...row) => {
    // Jest would take a missing fourth parameter for a callback.
    const [setting, value, fault, isSent] = row;
    const client = setting === 'OIDC_ISSUER' ? CLIENT : {};
    const { faults, ended } = await diagnose({ ...client, [setting]: value() }, isSent);
    const pattern = new RegExp(fault.replace(/[().]/g, '\\$&').replaceAll('\\.*', '.*'));
    expect(faults).toContainEqual(expect.stringMatching(pattern));
    expect(ended).toBe(`Faults to fix: ${faults.length}.`);
    expect(existsSync(join(folder.path, 'none'))).toBe(false);
  });

  const OK = [422, HSTS] as const;
  it.each<[string, answer: readonly [number, Record<string, string>], page: string, fault: string]>([
    ['no api behind nginx', [502, HSTS], PAGE, 'an empty form gets 502 and not 422'],
    ['a redirect', [308, { location: 'https://www.acme.test/' }], PAGE, 'redirects to https://www.acme.test/'],
    ['a proxy that nginx does not trust', [422, {}], PAGE, 'nginx does not trust the proxy'],
    ['a proxy that adds a script', OK, `${PAGE}<script src="/cdn-cgi/x.js"></script>`, 'a proxy changes its pages'],
    ['a proxy that changes a script', OK, PAGE.replace(' = ', '='), 'a proxy changes its pages'],
  ])('names the fault of the site > %s', async (_case, answer, changed, fault) => {
    [site, page] = [answer, changed];
    expect((await diagnose()).faults).toEqual([expect.stringContaining(`${healthy['SITE_URL']}: ${fault}`)]);
  });

  it.each([
    ['a mailbox', 'jobs@acme.test', 'trial mails: to jobs@acme.test: '],
    ['an empty envelope sender', '', 'trial mails: acknowledgement with an empty envelope sender (MAIL FROM:<>): '],
  ])('names what alone is refused, with the reply > %s', async (_what, refused, fault) => {
    const answer = ({ address }: { address: string }, _: unknown, done: (error?: Error | null) => void) =>
      done(address === refused ? Object.assign(new Error('no'), { responseCode: 550 }) : null);
    const strict = await MailServer.start({ onRcptTo: answer, onMailFrom: answer });
    const { faults } = await diagnose({ SMTP_URL: strict.url, ACKNOWLEDGE: 'on' }, true).finally(() => strict.stop());
    expect(faults).toEqual([expect.stringMatching(/550/)]);
    expect(faults[0]).toContain(fault);
  });

  it('prints what api and worker report, unless it is a line of its own', async () => {
    const REDIS_URL = `redis://${at['closed']}`;
    const [own = ''] = (await diagnose({ REDIS_URL })).faults;
    const [, cause] = /^redis: (does not answer)$/.exec(own) ?? [];
    checks = {
      redis: { status: 'down', cause },
      tasks: { status: 'down', cause: 'stalled: digest' },
      deliveries: { status: 'degraded', cause: '3 failed' },
      disk: { status: 'ok' },
    };
    const { faults } = await diagnose({ REDIS_URL });
    const reported = ['tasks: stalled: digest', 'deliveries: 3 failed'];
    expect(faults).toEqual([own, ...['api', 'worker'].flatMap((name) => reported.map((line) => `${name}: ${line}`))]);
  });

  it.each([
    ['leaves out the public site > the trial with its mail catcher', '127.0.0.1', false],
    ["checks the public site > the trial's files with a mail server of its own", 'localhost', true],
  ])('%s', async (_title, host, isChecked) => {
    const trial = { NODE_ENV: 'development', SMTP_URL: `smtp://${host}:${mail.port}`, SALES_INBOX: 'a@b.example' };
    const { lines, faults } = await diagnose(trial);
    expect(lines.some((line) => line.startsWith('note  trial: '))).toBe(!isChecked);
    expect(lines.includes(`ok    ${healthy['SITE_URL']}`)).toBe(isChecked);
    expect(faults.some((line) => line.startsWith('settings: SALES_INBOX'))).toBe(isChecked);
  });
});
