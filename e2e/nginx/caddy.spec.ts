import { expect, test } from '@playwright/test';
import { execa } from 'execa';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { request, type IncomingMessage, type RequestOptions } from 'node:http';
import { join } from 'node:path';
import { parse } from 'yaml';
import { until } from '../../form-service/test/until.ts';
import { freePorts } from '../../scripts/stack/ports.ts';
import { findProgram } from '../../scripts/stack/programs.ts';
import { root } from './server.ts';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';

const caddy = findProgram('caddy') ?? '';
test.skip(caddy === '', 'Caddy is not installed');

/** Names that the configuration uses. */
interface Names {
  readonly SITE_URL: string;
  readonly INBOX_URL?: string;
}

/** Returns a shell command that starts Caddy with an action, and its environment. */
type Start = (
  action: string,
  folder: string,
  names: Names,
  healthPort: number,
) => [command: string, env: Record<string, string>];

/** The command in the Compose file, with the variables that Compose fills in, and another port of the health check. */
const asInComposeFile: Start = (action, folder, names, healthPort) => {
  // Compose has tags of its own.
  const { services } = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { logLevel: 'error' }) as {
    services: { caddy: { command: string[]; environment: { CADDYFILE: string } } };
  };
  const variables: Readonly<Record<string, string>> = { ...names, HSTS_MAX_AGE: '86400' };
  const filled = (text: string) =>
    text.replaceAll(
      /\$(?:\$|\{(\w+)(?::([+-])((?:[^{}]|\$\{\w+-\})*))?\})/g,
      (_, name?: string, operator?: string, word = '') => {
        if (name === undefined) return '$';
        const value = variables[name] ?? '';
        return operator === '+' && value ? word.replace(`\${${name}-}`, value) : value;
      },
    );
  const { command, environment } = services.caddy;
  const script = filled(command.at(-1) ?? '').replaceAll('/config', folder);
  const configuration = filled(environment.CADDYFILE).replace(':2020', `:${healthPort}`);
  return [script.replace('caddy run', `${caddy} ${action}`), { ...names, CADDYFILE: configuration }];
};

/** The configuration of containers of the previous version, which Caddy itself fills in. */
const asInPreviousVersion: Start = (action, _folder, { SITE_URL }) => [
  `exec ${caddy} ${action} --adapter caddyfile --config ${join(root, 'nginx/Caddyfile')}`,
  { DOMAIN: SITE_URL, REDIRECTED_DOMAIN: SITE_URL.replace('://', '://www.'), HSTS_MAX_AGE: '86400' },
];

for (const [what, commandOf] of Object.entries({
  'Compose file': asInComposeFile,
  'nginx/Caddyfile': asInPreviousVersion,
}))
  test.describe(`Caddy > ${what}`, () => {
    let folder: string;

    test.beforeEach(() => {
      folder = makeTemporaryFolder();
    });
    test.afterEach(() => rmSync(folder, { recursive: true }));

    /** Starts Caddy, which keeps certificates and its last configuration in the folder. */
    async function start(action: string, names: Names) {
      const [healthPort = 0] = await freePorts(1);
      const [command, variables] = commandOf(action, folder, names, healthPort);
      const env = { ...variables, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
      return { ended: execa('sh', ['-c', command], { env, all: true, reject: false }) };
    }

    test('is valid', async () => {
      for (const inbox of [{}, { INBOX_URL: 'https://inbox.kitewright.example' }]) {
        const { exitCode, all } = await (
          await start('validate', { SITE_URL: 'https://kitewright.example', ...inbox })
        ).ended;
        expect([exitCode, all]).toEqual([0, expect.stringContaining('Valid configuration')]);
      }
    });

    test('logs the failed request without its visitor > nginx is unavailable', async () => {
      const [port = 0] = await freePorts(1);
      // Plain HTTP needs no certificate. The name of nginx does not resolve here.
      const { ended: running } = await start('run', { SITE_URL: `http://127.0.0.1:${port}` });
      const headers = { 'user-agent': 'visitor-agent', referer: 'https://visitor.example/', cookie: 'a=visitor' };
      const answer = await until('an answer of Caddy', () =>
        ask({ port, path: '/about?of=visitor', localAddress: '127.0.0.7', headers }),
      );
      running.kill('SIGTERM');
      const { all } = await running;
      expect(answer.statusCode).toBe(502);
      expect(all).toContain('"uri":"/about"');
      expect(all).not.toMatch(/visitor|127\.0\.0\.7|remote_port|user-agent/i);
    });

    if (commandOf === asInComposeFile)
      test('does not start, and names the setting > SITE_URL is empty', async () => {
        const { exitCode, all } = await (await start('validate', { SITE_URL: '' })).ended;
        expect([exitCode, all]).toEqual([expect.any(Number), expect.stringContaining('SITE_URL: is not set')]);
        expect(exitCode).not.toBe(0);
      });

    for (const [site, other] of [
      ['http://site.example', 'www.site.example'],
      ...(commandOf === asInComposeFile ? [['http://www.site.example', 'site.example']] : []),
    ] as const)
      test(`redirects ${other} to the site > SITE_URL is ${site}`, async () => {
        const [port = 0] = await freePorts(1);
        const { ended: running } = await start('run', {
          SITE_URL: `${site}:${port}${commandOf === asInComposeFile ? '/' : ''}`,
        });
        const headers = { host: `${other}:${port}` };
        const answer = await until('an answer of Caddy', () => ask({ port, path: '/about?a=b', headers }));
        running.kill('SIGTERM');
        await running;
        expect(answer.statusCode).toBe(301);
        // The previous version knew only hosts with https.
        expect(answer.headers.location?.replace('https://http', 'http')).toBe(`${site}:${port}/about?a=b`);
      });
  });

/** Returns the answer to a request, or nothing before Caddy listens. */
async function ask(options: RequestOptions): Promise<IncomingMessage | undefined> {
  try {
    const [response] = (await once(request({ host: '127.0.0.1', ...options }).end(), 'response')) as [IncomingMessage];
    return response.resume();
  } catch {
    return undefined;
  }
}
