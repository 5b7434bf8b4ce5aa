import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const filesUnder = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `/${file}`);

test('every test that the security page names is there', () => {
  const section = /^## Threats$[^]*?^## /m.exec(read('docs/security.md'))?.[0] ?? '';
  const threats = section.split(/^- /m).slice(1);
  const files = [...filesUnder('form-service/src'), ...filesUnder('frontend/src'), ...filesUnder('e2e')];
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const isThere = (name: string) => {
    const [, script] = /^npm (?:run )?(\S+)$/.exec(name) ?? [];
    if (script !== undefined) return script in scripts;
    if (!name.endsWith('.ts')) return existsSync(join(root, name));
    const pattern = new RegExp(
      `/${name
        .split('*')
        .map((part) => part.replace(/[.]/g, String.raw`\.`))
        .join('[^/]*')}$`,
    );
    return files.some((file) => pattern.test(file));
  };
  expect(threats.length).toBeGreaterThan(10);
  for (const threat of threats) {
    const tests = threat.split('_Tests_:')[1] ?? '';
    const names = [...tests.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    expect(names, threat).not.toEqual([]);
    expect(
      names.filter((name) => !isThere(name)),
      threat,
    ).toEqual([]);
  }
});
