import { expect, test } from '@playwright/test';
import { once } from 'node:events';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { makeCertificate } from '../support/certificate.ts';
import { EntryPoint } from './entry-point.ts';

let entry: EntryPoint;

test.beforeEach(async () => {
  entry = await EntryPoint.prepare();
  entry.resolve('api', '127.0.0.2');
  entry.resolve('worker', '127.0.0.3');
});
test.afterEach(() => entry.close());

/** Reads a value until it is as expected. */
const eventually = <T>(read: () => T | Promise<T>) => expect.poll(read, { intervals: [20, 50] });
const answers = (path: string, answer: string) =>
  eventually(() => entry.request(path)).toEqual(expect.stringContaining(answer));

test('entry point > serves pages, and passes forms to api and inbox to worker', async () => {
  await entry.serve('127.0.0.2');
  await entry.serve('127.0.0.3');
  entry.start();
  await answers('/', '200 built');
  await answers('/api/contact', '200 127.0.0.2');
  await answers('/inbox', '200 127.0.0.3');
  const gateways = entry.rendered('HOST_ADDRESSES')?.split(/\s+/) ?? [];
  expect(gateways.filter((address) => isIP(address) === 0)).toEqual([]);
  expect([entry.rendered('NGINX_LISTEN'), entry.rendered('NGINX_LISTEN_TLS')]).toEqual(
    expect.arrayContaining([expect.stringMatching(/\b8080\b/), expect.stringMatching(/\b18080\b/)]),
  );
});

test('entry point > serves pages and answers forms with 503 > no name resolves', async () => {
  entry.resolve('api');
  entry.resolve('worker');
  entry.start();
  await answers('/', '200 built');
  await answers('/api/contact', '503 ');
  await entry.serve('127.0.0.2');
  entry.resolve('api', '127.0.0.2');
  await answers('/api/contact', '200 127.0.0.2');
});

test('entry point > uses each address of a name once, of both families', async () => {
  entry.resolve('api', 'fd00::2', '127.0.0.2');
  entry.start();
  await answers('/', '200 built');
  const port = entry.rendered('API_UPSTREAM')?.split(':').at(-1);
  expect(entry.rendered('API_UPSTREAM')).toBe(`127.0.0.2:${port} [fd00::2]:${port}`);
});

test('entry point > follows > a replica has a new address', async () => {
  await entry.serve('127.0.0.2');
  await entry.serve('127.0.0.4');
  entry.start();
  await answers('/api/contact', '200 127.0.0.2');
  entry.resolve('api', '127.0.0.4');
  await answers('/api/contact', '200 127.0.0.4');
  entry.resolve('worker', '127.0.0.2');
  await answers('/inbox', '200 127.0.0.2');
});

test('entry point > keeps what it serves, and says why > the new site is incomplete', async () => {
  entry.publish('first');
  entry.start();
  await answers('/', '200 first');
  const published = join(entry.folder, 'published');
  mkdirSync(join(published, 'versions/new'));
  rmSync(join(published, 'current'));
  symlinkSync('versions/new', join(published, 'current'));
  // The entry point tries again at each look.
  for (const times of [1, 2]) {
    entry.look();
    const says = /^There is no site in .*\/versions\/new\/site with .*\. Publish it/gm;
    await eventually(() => entry.log.match(says)).toHaveLength(times);
  }
  expect(await entry.request('/')).toBe('200 first');
  rmSync(join(published, 'current'));
  entry.publish('second');
  await answers('/', '200 second');
});

for (const { what, variables, lacks, says } of [
  {
    what: 'no site is published',
    variables: { WEB_ROOT: '/nonexistent' },
    says: /^There is no site in \/nonexistent with .*\. Publish it, in containers with: docker compose run --rm site$/m,
  },
  {
    what: 'TLS has no port',
    variables: { TLS_CERTIFICATE: '/etc/hostname', TLS_CERTIFICATE_KEY: '/etc/hostname', TLS_PORT: '' },
    says: /^TLS_PORT must be the port/m,
  },
  {
    what: 'HSTS_MAX_AGE is no number',
    variables: { HSTS_MAX_AGE: '1y' },
    says: /^HSTS_MAX_AGE must be a number of seconds/m,
  },
  {
    what: 'the build of the site lacks a file',
    lacks: 'form-locations.conf',
    says: /^There is no site in .* with .*\/form-locations\.conf\. Publish it/m,
  },
])
  test(`entry point > ends with a sentence > ${what}`, async () => {
    if (lacks !== undefined) rmSync(join(entry.folder, 'built/nginx', lacks));
    const [exitCode] = await once(entry.start(variables), 'close');
    expect(exitCode).toBe(1);
    expect(entry.log).toMatch(says);
    expect(entry.log).not.toMatch(/emerg|can't cd/);
  });

/** Returns the fingerprint of the certificate that nginx shows; undefined without one. */
async function fingerprint(): Promise<string | undefined> {
  const socket = connect({ host: '127.0.0.1', port: entry.tlsPort, rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerCertificate().fingerprint256;
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}

test('entry point > uses a new or renewed certificate without a restart', async () => {
  const folder = join(entry.folder, 'tls');
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  entry.start({ TLS_CERTIFICATE: certificate, TLS_CERTIFICATE_KEY: key });
  await answers('/', '200 built');
  expect(entry.log).toContain(
    `${certificate} and ${key} cannot be read, by the group 33, yet: plain HTTP until they can.`,
  );
  makeCertificate(folder);
  entry.look();
  await eventually(fingerprint).toBeDefined();
  const first = await fingerprint();
  makeCertificate(folder);
  entry.look();
  await eventually(fingerprint).not.toBe(first);
});

test('entry point > sends a page in TLS records that a browser can read before its end', async () => {
  const folder = join(entry.folder, 'tls');
  makeCertificate(folder);
  writeFileSync(join(entry.folder, 'built/site/index.html'), '<p>built</p>'.repeat(2_000));
  entry.start({ TLS_CERTIFICATE: join(folder, 'certificate.pem'), TLS_CERTIFICATE_KEY: join(folder, 'key.pem') });
  await eventually(fingerprint).toBeDefined();
  const socket = connect({ host: '127.0.0.1', port: entry.tlsPort, rejectUnauthorized: false });
  socket.write('GET / HTTP/1.1\r\nHost: firm.test\r\nConnection: close\r\n\r\n');
  const records: number[] = [];
  for await (const record of socket as AsyncIterable<Buffer>) records.push(record.length);
  expect(records.length).toBeGreaterThan(2);
  expect(Math.max(...records)).toBeLessThanOrEqual(4_096);
});
