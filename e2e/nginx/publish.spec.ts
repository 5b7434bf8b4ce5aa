import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../../form-service/test/until.ts';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { publishSite, type PublishedSite } from '../../scripts/stack/nginx-config.ts';
import { expect, NginxServer, root, test } from './server.ts';
import { writeSmallBuild } from './small-site.ts';

let folder: string;
test.beforeEach(() => {
  folder = makeTemporaryFolder();
});
test.afterEach(() => rmSync(folder, { recursive: true }));

/** Publishes a site with one page and one script, which both contain the version. */
function publish(version: string): PublishedSite {
  const built = join(folder, `built-${version}`);
  const script = `assets/app-0000000${version}.js`;
  writeSmallBuild(built, {
    files: { 'index.html': `<script src="/${script}"></script>`, [script]: `export const version = '${version}'` },
    analyticsOrigin: `https://${version}.example`,
  });
  const published = publishSite(root, built, join(folder, 'published'));
  rmSync(built, { recursive: true });
  return published;
}

const scriptOf = (page: string) => /src="([^"]+)"/.exec(page)?.[1] ?? '';

/** Sets the modification time of every file to `days` ago. */
function age(path: string, days: number): void {
  const then = Date.now() / 1000 - days * 86_400;
  for (const entry of readdirSync(path, { recursive: true, encoding: 'utf8' }))
    utimesSync(join(path, entry), then, then);
}

test('publish > serves the old version until the reload, and its scripts after it', async () => {
  const nginx = await NginxServer.start({ variables: publish('a') });
  try {
    const opened = await nginx.request('/');
    const second = publish('b');
    expect(await nginx.request('/')).toMatchObject({
      body: opened.body,
      headers: { 'content-security-policy': opened.headers['content-security-policy'] },
    });

    nginx.reload(second);
    // The old worker processes answer for a moment after the reload.
    const fresh = await until('the new version', async () => {
      const answer = await nginx.request('/');
      return answer.body === opened.body ? undefined : answer;
    });
    expect(fresh.headers['content-security-policy']).toContain('https://b.example');
    for (const [page, version] of [
      [opened.body, 'a'],
      [fresh.body, 'b'],
    ] as const) {
      const script = await nginx.request(scriptOf(page), { headers: { 'accept-encoding': 'identity' } });
      expect(script).toMatchObject({
        status: 200,
        body: `export const version = '${version}'`,
        headers: { 'cache-control': 'public, max-age=31536000, immutable' },
      });
      expect(
        (await nginx.request(scriptOf(page), { headers: { 'accept-encoding': 'br' } })).headers['content-encoding'],
      ).toBe('br');
    }
  } finally {
    await nginx.close();
  }
});

test('publish > switches to a new version > only a form has changed', () => {
  const versionOf = (path: `/api/${string}`) => {
    const built = join(folder, 'built');
    writeSmallBuild(built, { forms: [{ path, file: undefined }] });
    return publishSite(root, built, join(folder, 'published')).SITE_CONFIG_DIR;
  };
  expect(versionOf('/api/contact')).not.toBe(versionOf('/api/callback'));
});

test('publish > works > several replicas at the same time', async () => {
  const published = join(folder, 'published');
  const files = Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`assets/part-${String(at).padStart(8, '0')}.js`, `export default ${at}`]),
  );
  writeSmallBuild(join(folder, 'built'), { files: { 'index.html': 'Home', ...files } });
  const replica = () => promisify(execFile)('sh', [join(root, 'nginx/publish-site'), join(folder, 'built'), published]);
  await Promise.all(Array.from({ length: 3 }, replica));
  expect(readdirSync(published).sort(), 'nothing is left over').toEqual(['assets', 'current', 'versions']);
  expect(readdirSync(join(published, 'versions'))).toHaveLength(1);
  expect(readdirSync(join(published, 'current/site')).sort()).toEqual(['index.html', 'index.html.br', 'index.html.gz']);
  expect(readdirSync(join(published, 'assets'))).toHaveLength(3 * 12);
});

test('publish > succeeds > another replica has deleted what find lists', () => {
  writeSmallBuild(join(folder, 'built'));
  const find = execFileSync('sh', ['-c', 'command -v find'], { encoding: 'utf8' }).trim();
  const failing = `#!/bin/sh\n${find} "$@" || exit\ncase "$*" in *-mtime*) exit 1 ;; esac\n`;
  writeFileSync(join(folder, 'find'), failing, { mode: 0o755 });
  const { status } = spawnSync('sh', [join(root, 'nginx/publish-site'), join(folder, 'built'), join(folder, 'out')], {
    env: { ...process.env, PATH: [folder, process.env.PATH].join(delimiter) },
  });
  expect(status).toBe(0);
  expect(existsSync(join(folder, 'out/current/site/index.html'))).toBe(true);
});

test('publish > keeps hashed files for 30 days after they were current', () => {
  const published = join(folder, 'published');
  const kept = () => readdirSync(join(published, 'assets')).filter((name) => name.endsWith('.js'));
  const first = publish('a');
  age(published, 100);
  publish('b');
  expect(kept(), 'current until now, although old').toEqual(['app-0000000a.js', 'app-0000000b.js']);

  age(published, 29);
  publish('c');
  expect(kept()).toHaveLength(3);
  age(published, 31);
  publish('d');
  expect(kept()).toEqual(['app-0000000c.js', 'app-0000000d.js']);
  expect(existsSync(first.WEB_ROOT)).toBe(false);
});
