import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Paths of a certificate and its key, and the certificate itself for clients that trust it. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
  readonly pem: string;
}

/** Creates a self-signed certificate for localhost in a folder, and overwrites an existing one. */
export function makeCertificate(folder: string): Certificate {
  mkdirSync(folder, { recursive: true });
  const certificate = join(folder, 'certificate.pem');
  const key = join(folder, 'key.pem');
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const { status, stderr, error } = spawnSync(
    'openssl',
    ['req', '-x509', ...kind, ...name, '-keyout', key, '-out', certificate],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`openssl could not create a certificate: ${stderr ?? error?.message}`);
  return { certificate, key, pem: readFileSync(certificate, 'utf8') };
}
