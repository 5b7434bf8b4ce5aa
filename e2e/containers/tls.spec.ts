import { expect, test } from '@playwright/test';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '../../scripts/stack/ports.ts';
import { makeCertificate } from '../support/certificate.ts';
import { useDeployment } from './deployment.ts';

const at = useDeployment(() => ({}), false);
let folder: string;
let tlsPort: number;

test.beforeAll(async () => {
  const { deployment } = at;
  folder = join(deployment.folder, 'tls');
  mkdirSync(join(deployment.folder, 'acme/.well-known/acme-challenge'), { recursive: true });
  mkdirSync(folder);
  // Readable for the user of nginx.
  for (const one of [deployment.folder, folder]) chmodSync(one, 0o755);
  [tlsPort = 0] = await freePorts(1);
  deployment.set({
    TLS_PORT: String(tlsPort),
    TLS_CERTIFICATE: join(folder, 'certificate.pem'),
    TLS_CERTIFICATE_KEY: join(folder, 'key.pem'),
    ACME_FOLDER: join(deployment.folder, 'acme'),
  });
  await deployment.up();
});

const overTls = (path: string) =>
  at.deployment.request(`https://127.0.0.1:${tlsPort}${path}`, '--cacert', join(folder, 'certificate.pem'));

test('TLS > serves pages and ACME challenges over plain HTTP > without a certificate', async () => {
  const { deployment } = at;
  writeFileSync(join(deployment.folder, 'acme/.well-known/acme-challenge/token'), 'token.thumbprint');
  expect((await deployment.request('/about')).status).toBe(200);
  expect(await deployment.request('/.well-known/acme-challenge/token')).toMatchObject({
    status: 200,
    body: 'token.thumbprint',
  });
  expect(await deployment.do('docker compose logs nginx')).toContain('plain HTTP until they can');
});

test('TLS > uses a new or renewed certificate without a restart', async () => {
  const { deployment } = at;
  for (let time = 0; time < 2; time += 1) {
    const { key } = makeCertificate(folder);
    chmodSync(key, 0o644);
    await expect.poll(async () => (await overTls('/about')).status).toBe(200);
  }
  const { headers } = await overTls('/about');
  expect(headers.get('strict-transport-security')).toBe('max-age=86400');
  const { status, headers: redirected } = await deployment.request('/about?a=b');
  expect([status, redirected.get('location')]).toEqual([301, `https://127.0.0.1:${tlsPort}/about?a=b`]);
  await deployment.enquiryArrives(
    `https://127.0.0.1:${tlsPort}/api/contact`,
    '--cacert',
    join(folder, 'certificate.pem'),
  );
});
