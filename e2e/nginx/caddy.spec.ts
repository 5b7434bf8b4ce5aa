import { expect, test } from '@playwright/test';
import { execa } from 'execa';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { parse } from 'yaml';
import { until } from '../../form-service/test/until.ts';
import { freePorts } from '../../scripts/stack/ports.ts';
import { findProgram } from '../../scripts/stack/programs.ts';
import { root } from './server.ts';
import { makeTemporaryFolder } from '../../scripts/checks/temporary-folder.ts';

const caddy = findProgram('caddy') ?? '';
test.skip(caddy === '', 'Caddy is not installed');

/** Names that the configuration uses. */
interface Names {
  readonly DOMAIN: string;
  readonly REDIRECTED_DOMAIN: string;
  readonly INBOX_URL?: string;
}

/** The configuration in the Compose file, with the variables that Compose fills in, and another port of the health check. */
function inComposeFile(names: Names, healthPort: number): string {
  // Compose has tags of its own.
  const { services } = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { logLevel: 'error' }) as {
    services: { caddy: { environment: { CADDYFILE: string } } };
  };
  const variables: Readonly<Record<string, string>> = { ...names, HSTS_MAX_AGE: '86400' };
  return services.caddy.environment.CADDYFILE.replaceAll(
    /\$\{(\w+)(?::([+-])((?:[^{}]|\$\{\w+-\})*))?\}/g,
    (_, name: string, operator: string, word: string) => {
      const value = variables[name] ?? '';
      return operator === '+' && value ? word.replace(`\${${name}-}`, value) : value;
    },
  )
    .replaceAll('$$', '$')
    .replace(':2020', `:${healthPort}`);
}

/** The configuration of containers of the previous version, which Caddy itself fills in. */
const ofPreviousVersion = () => readFileSync(join(root, 'nginx/Caddyfile'), 'utf8');

for (const [what, configuration] of Object.entries({
  'Compose file': inComposeFile,
  'nginx/Caddyfile': ofPreviousVersion,
}))
  test.describe(`Caddy > ${what}`, () => {
    let folder: string;

    test.beforeEach(() => {
      folder = makeTemporaryFolder();
    });
    test.afterEach(() => rmSync(folder, { recursive: true }));

    /** Starts a command of Caddy. Caddy keeps certificates and its last configuration in the folder. */
    function start(command: string, names: Names, healthPort: number) {
      const file = join(folder, 'Caddyfile');
      writeFileSync(file, configuration(names, healthPort));
      const env = { ...names, HSTS_MAX_AGE: '86400', HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
      return execa(caddy, [command, '--adapter', 'caddyfile', '--config', file], { env, all: true, reject: false });
    }

    test('is valid', async () => {
      const names = { DOMAIN: 'kitewright.example', REDIRECTED_DOMAIN: 'www.kitewright.example' };
      for (const inbox of [{}, { INBOX_URL: 'https://inbox.kitewright.example' }]) {
        const { exitCode, all } = await start('validate', { ...names, ...inbox }, 2020);
        expect([exitCode, all]).toEqual([0, expect.stringContaining('Valid configuration')]);
      }
    });

    test('logs the failed request without its visitor > nginx is unavailable', async () => {
      const [port, other, healthPort = 0] = await freePorts(3);
      // Plain HTTP needs no certificate. The name of nginx does not resolve here.
      const names = { DOMAIN: `http://127.0.0.1:${port}`, REDIRECTED_DOMAIN: `http://127.0.0.1:${other}` };
      const running = start('run', names, healthPort);
      const headers = { 'user-agent': 'visitor-agent', referer: 'https://visitor.example/', cookie: 'a=visitor' };
      const status = await until('an answer of Caddy', async () => {
        try {
          const sent = request({
            host: '127.0.0.1',
            port,
            path: '/about?of=visitor',
            localAddress: '127.0.0.7',
            headers,
          }).end();
          const [response] = (await once(sent, 'response')) as [IncomingMessage];
          response.resume();
          return response.statusCode;
        } catch {
          return undefined;
        }
      });
      running.kill('SIGTERM');
      const { all } = await running;
      expect(status).toBe(502);
      expect(all).toContain('"uri":"/about"');
      expect(all).not.toMatch(/visitor|127\.0\.0\.7|remote_port|user-agent/i);
    });
  });
