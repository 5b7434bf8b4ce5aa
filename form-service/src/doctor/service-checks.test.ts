import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DOCTOR_LIMITS } from './finding.ts';
import { canonicalOrigin, checkProcess, unreachable } from './service-checks.ts';

describe('unreachable', () => {
  it.each([
    ['ENOTFOUND', 'The name has no DNS records yet'],
    ['EAI_AGAIN', 'The name has no DNS records yet'],
    ['CERT_HAS_EXPIRED', 'The certificate has expired and was not renewed'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'The certificate is for another name'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'There is no certificate yet'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'There is no certificate yet'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'There is no certificate yet'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'There is no certificate yet'],
    ['ERR_TLS_HANDSHAKE_TIMEOUT', 'There is no certificate yet'],
    ['EPROTO', 'There is no certificate yet'],
    ['ECONNREFUSED', 'Check that ports 80 and 443 are open'],
  ])('names the remedy for %s', (code, remedy) => {
    const advice = unreachable({ name: 'Error', message: '', code });
    expect(advice).toContain(`cannot be reached (${code}). ${remedy}`);
  });

  it.each([
    [{ code: 'ABORT_ERR' }, 'no answer'],
    [{}, 'SomeError'],
  ])('names the cause > %j', (error, cause) => {
    expect(unreachable({ name: 'SomeError', message: '', ...error })).toContain(`(${cause})`);
  });
});

describe('canonicalOrigin', () => {
  it.each([
    ['<link rel="canonical" href="https://acme.test/about">', 'https://acme.test'],
    ['<link rel=canonical href=https://acme.test/about>', 'https://acme.test'],
    ['<link href="https://acme.test:8443/" rel="canonical">', 'https://acme.test:8443'],
    [
      '<link rel="icon" href="https://other.test/"><link rel="canonical" href="https://acme.test/">',
      'https://acme.test',
    ],
    ['<link rel="canonical" href="/about">', undefined],
    ['<p>404</p>', undefined],
  ])('%s', (page, origin) => {
    expect(canonicalOrigin(page)).toBe(origin);
  });
});

describe('checkProcess', () => {
  /** Replicas on addresses of their own, and what each answers. */
  const answers: Record<string, string> = {};
  const replicas: Server[] = [];
  let port: number;

  beforeAll(async () => {
    for (const address of ['127.0.0.1', '127.0.0.2']) {
      const replica = createServer((_, response) => void response.end(answers[address]));
      await once(replica.listen(port, address), 'listening');
      ({ port } = replica.address() as AddressInfo);
      replicas.push(replica);
    }
  });
  afterAll(() => replicas.forEach((one) => one.close().closeAllConnections()));

  const causeIn = async (addresses = ['127.0.0.1', '127.0.0.2'], printed: string[] = []) => {
    const outside = {
      lookup: async () => addresses.map((address) => ({ address, family: 4 })),
      limits: DOCTOR_LIMITS,
    };
    return (await checkProcess(`http://api:${port}`, outside, Promise.resolve(new Set(printed))))?.cause;
  };
  const report = (checks: object) => JSON.stringify({ ready: false, checks });
  const ok = report({ redis: { status: 'ok' } });
  const away = report({ redis: { status: 'degraded', cause: 'does not answer' } });
  const both = report({
    redis: { status: 'ok' },
    disk: { status: 'down', cause: 'full' },
    s3: { status: 'down', cause: 'x' },
  });

  it.each([
    ['all are well', ok, ok, undefined],
    ['the first one fails', away, ok, 'redis: does not answer'],
    ['the second one fails', ok, away, 'redis: does not answer'],
    ['both fail alike', away, away, 'redis: does not answer'],
    ['they fail differently', away, both, 'redis: does not answer; disk: full; s3: x'],
    ['one answers a page', ok, '<p>', 'its health check does not answer JSON. See docker compose logs'],
  ])('reports each cause of two replicas once > %s', async (_what, first, second, expected) => {
    [answers['127.0.0.1'], answers['127.0.0.2']] = [first, second];
    expect(await causeIn()).toBe(expected);
  });

  it('leaves out a cause that doctor has printed, also behind the time since when', async () => {
    const cause = 'unavailable since 2026-11-26T14:27:22.375Z: rejects the login';
    answers['127.0.0.1'] = answers['127.0.0.2'] = report({ 'mail server': { status: 'down', cause } });
    expect(await causeIn(undefined, ['the login'])).toContain('rejects the login');
    expect(await causeIn(undefined, ['rejects the login'])).toBeUndefined();
  });

  it('reports a replica that does not answer next to one that does', async () => {
    answers['127.0.0.1'] = ok;
    const found = await causeIn(['127.0.0.1', '127.0.0.3']);
    expect(found).toMatch(/^http:\/\/api:\d+ does not answer \(ECONNREFUSED\)\. Check that it runs/);
  });

  it('names the resolver > the lookup has no answer', async () => {
    await expect(causeIn([])).rejects.toThrow(
      'api cannot be looked up (no answer). Check the server in /etc/resolv.conf. Check that it runs: docker compose ps -a',
    );
  });
});
