import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publishSite } from '../../scripts/stack/nginx-config.ts';
import { PoweredDisk } from '../power-cut/powered-disk.ts';
import { expect, root, test } from './server.ts';
import { writeSmallBuild } from './small-site.ts';

const DISK_MB = 64;

/** Larger than what a file system keeps beside its name, so that it is written later than the name is. */
const TEXT = 'A sentence of the page. '.repeat(500);

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kitewright-publish-cut-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

const scriptOf = (version: string) => `assets/app-0000000${version}.js`;

function build(version: string, built = join(folder, `built-${version}`)): string {
  const files = { 'index.html': `${version}: ${TEXT}`, [scriptOf(version)]: `// ${version}: ${TEXT}` };
  writeSmallBuild(built, { files });
  return built;
}

/** The version that is published; every file of it is as it was built. */
function publishedVersion(published: string): string {
  const current = join(published, readlinkSync(join(published, 'current')));
  const version = readFileSync(join(current, 'site/index.html'), 'utf8').charAt(0);
  expect(['a', 'b'], 'the home page says which version it is').toContain(version);
  const compare = (built: string, ...args: string[]) =>
    spawnSync('diff', ['-r', join(folder, `built-${version}`, built), ...args], { encoding: 'utf8' }).stdout;
  expect(compare('site', '--exclude=assets', join(current, 'site')), `version "${version}"`).toBe('');
  expect(compare('nginx/csp-hashes.conf', join(current, 'csp-hashes.conf'))).toBe('');
  for (const name of readdirSync(join(folder, `built-${version}/site/assets`)))
    expect(compare(`site/assets/${name}`, join(published, 'assets', name)), name).toBe('');
  return version;
}

const WAYS: Readonly<Record<string, (built: string, published: string) => void>> = {
  'npm start': (built, published) => void publishSite(root, built, published),
  // From an image that is no part of the disk, as a user who is not root.
  'the containers': (built, published) => {
    spawnSync('chown', ['-R', 'www-data', published]);
    spawnSync('chmod', ['-R', 'go+rX', folder]);
    const user = ['--reuid=www-data', '--regid=www-data', '--clear-groups'];
    const { status, stderr } = spawnSync('setpriv', [
      ...user,
      'sh',
      join(root, 'nginx/publish-site'),
      built,
      published,
    ]);
    expect([status, String(stderr)]).toEqual([0, '']);
  },
};

for (const [way, publish] of Object.entries(WAYS)) {
  test(`a power cut leaves the site that ${way} published before, or the new one, and it can be published again`, async () => {
    const missing = PoweredDisk.missing();
    test.skip(missing !== undefined, missing);
    const disk = PoweredDisk.create(folder, DISK_MB);
    const published = join(disk.path, 'site');
    try {
      spawnSync('mkdir', [published]);
      publish(build('a'), published);
      disk.sync();
      publish(build('b'), published);
      // Another program's fsync, such as the database's: it brings names to the disk, also those of files that are not there yet.
      writeFileSync(join(disk.path, 'database'), 'a row');
      expect(spawnSync('sync', [join(disk.path, 'database')]).status).toBe(0);
      disk.cutPower();
      await disk.restorePower();
      publishedVersion(published);

      publish(join(folder, 'built-b'), published);
      expect(publishedVersion(published)).toBe('b');
    } finally {
      await disk.destroy();
    }
  });
}

test('files that a power cut has emptied are written again, whichever they are', () => {
  const published = join(folder, 'published');
  const built = build('a');
  for (const emptied of ['current/site/index.html', 'current/csp-hashes.conf', 'current/assets.txt', scriptOf('a')]) {
    publishSite(root, built, published);
    truncateSync(join(published, emptied));
    publishSite(root, built, published);
    expect(publishedVersion(published), emptied).toBe('a');
    expect(readdirSync(published).sort(), 'nothing is left over').toEqual(['assets', 'current', 'versions']);
  }
});
