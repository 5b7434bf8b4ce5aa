import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transform } from '@swc/core';
import { CONTENT_NAME } from '../../form-service/src/contract/words.ts';
import { watchFiles } from './watch-files.ts';

const SOURCE = 'form-service/src';

/** Words, facts and the look of mails, which the service reads at its start. */
const READ_AT_START: ReadonlySet<string> = new Set(['wording.yaml', 'brand.yaml', 'company.yaml']);

const JSC = {
  target: 'es2023',
  parser: { syntax: 'typescript', decorators: true },
  // Nest injects dependencies by the types of constructor parameters.
  transform: { legacyDecorator: true, decoratorMetadata: true },
  rewriteRelativeImportExtensions: true,
  experimental: { keepImportAttributes: true },
} as const;

/**
 * Compiles or copies each changed file of the form service to `dist` within milliseconds. Does not check types, which
 * would take longer than a restart.
 */
export async function compileOnChange(say: (sentence: string) => void, afterwards: () => Promise<void>): Promise<void> {
  await watchFiles(SOURCE, (changed) => {
    const names = changed.filter((name) => /(?<!\.(?:test|integration))\.(?:ts|html|txt|json)$/.test(name));
    void restartAfter(names, () => Promise.all(names.map(compile)));
  });
  await watchFiles(CONTENT_NAME, (changed) => void restartAfter(changed.filter((name) => READ_AT_START.has(name))));

  async function restartAfter(names: readonly string[], prepare = async (): Promise<unknown> => undefined) {
    if (names.length === 0) return;
    try {
      await prepare();
      say(`${names.join(', ')} changed: restarting api and worker`);
      await afterwards();
    } catch (error) {
      say((error as Error).message);
    }
  }
}

async function compile(name: string): Promise<void> {
  const source = join(SOURCE, name);
  const target = join('form-service/dist', name.replace(/\.ts$/, '.js'));
  if (!existsSync(source)) return rmSync(target, { force: true });
  const text = readFileSync(source, 'utf8');
  mkdirSync(dirname(target), { recursive: true });
  if (!name.endsWith('.ts')) return writeFileSync(target, text);
  const { code, map = '' } = await transform(text, { filename: source, swcrc: false, sourceMaps: true, jsc: JSC });
  writeFileSync(`${target}.map`, map);
  writeFileSync(target, code);
}
