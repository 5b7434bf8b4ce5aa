import { spawn, spawnSync } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../../test/free-port.ts';
import { StoredSubmissions } from '../../test/stored-submissions.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

/** Runs a program in a mount namespace with another /etc/resolv.conf. */
const WITH_RESOLVER = ['unshare', '--mount', 'sh', '-c', 'mount --bind "$0" /etc/resolv.conf && exec "$@"'];

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

const [command = '', ...options] = WITH_RESOLVER;
const isPossible = spawnSync(command, [...options, '/etc/hosts', 'true']).status === 0;
if (!isPossible) process.stderr.write('SKIPPED: doctor with a silent resolver, because it needs root and mounts\n');

describe('doctor (process)', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let silent: Socket;
  beforeAll(async () => {
    folder = await temporaryFolder();
    silent = createSocket('udp4');
  });
  afterAll(async () => {
    silent.close();
    await folder.remove();
  });

  (isPossible ? it : it.skip)('names failed lookups within a minute > the resolver is silent', async () => {
    silent.bind(53, `127.${randomInt(1, 255)}.${randomInt(1, 255)}.53`);
    await once(silent, 'listening');
    const resolver = join(folder.path, 'resolv.conf');
    // By default the C library waits 10 s for each server, and Node.js runs two lookups at a time.
    await writeFile(resolver, `nameserver ${silent.address().address}\n`.repeat(2));
    const stored = await StoredSubmissions.open(folder.path);
    await stored.database.close();
    const env = {
      ...process.env,
      ...stored.environment,
      NODE_OPTIONS: '',
      SITE_URL: 'https://www.acme.test',
      SMTP_URL: 'smtp://mail.acme.test:25',
      API_URL: `http://localhost:${await freePort()}`,
      REDIS_URL: 'redis://redis.acme.test:6379',
      MAIL_FROM: 'website@acme.test',
    };
    const limited = ['timeout', '110', process.execPath, CLI, 'doctor'];
    const doctor = spawn(command, [...options, resolver, ...limited], { env });
    const [out, error] = await Promise.all([text(doctor.stdout), text(doctor.stderr), once(doctor, 'close')]);
    expect(doctor.exitCode).toBe(1);
    expect(error).toMatch(/^Faults to fix: \d+\.\n$/);
    const lines = out.trim().split('\n');
    expect(lines.filter((line) => !/^(ok|note|FIX) {2,4}\S/.test(line))).toEqual([]);
    for (const about of ['mail server', 'SPF of acme.test', 'DMARC of acme.test', 'https://www.acme.test'])
      expect(lines).toContainEqual(expect.stringContaining(`FIX   ${about}: `));
    // Lookups that need no resolver do not wait for the others.
    expect(lines).toContainEqual(expect.stringContaining('FIX   api: cannot be reached (ECONNREFUSED)'));
  });
});
