import { copyFileSync, existsSync, mkdirSync, rmSync, watch, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformFile } from '@swc/core';

const SOURCE = 'form-service/src';

/** An editor writes a file in several steps, and a formatter several files, within this time. */
const SETTLED_MS = 30;

const JSC = {
  target: 'es2023',
  parser: { syntax: 'typescript', decorators: true },
  // Nest reads the types of constructors.
  transform: { legacyDecorator: true, decoratorMetadata: true },
  rewriteRelativeImportExtensions: true,
  experimental: { keepImportAttributes: true },
} as const;

/**
 * Writes each file of the form service that changes to its place in `dist`, within milliseconds: source compiled, the
 * templates of mails and pages as they are. Nobody looks at the types
 * here, which takes longer than a restart: editors and `npm run check` do.
 */
export function compileOnChange(say: (sentence: string) => void, afterwards: () => Promise<void>): void {
  const changed = new Set<string>();
  watch(SOURCE, { recursive: true }, (_event, name) => {
    if (!name || !/\.(?:ts|html|txt|json)$/.test(name) || /\.(?:test|integration)\.ts$/.test(name)) return;
    if (changed.size === 0) setTimeout(() => void compileAll(), SETTLED_MS);
    changed.add(name);
  });

  async function compileAll(): Promise<void> {
    const names = [...changed];
    changed.clear();
    try {
      await Promise.all(names.map(compile));
      say(`${names.join(', ')} changed: api and worker start anew`);
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
  if (!name.endsWith('.ts')) return copyFileSync(source, target);
  const { code, map = '' } = await transformFile(source, { swcrc: false, sourceMaps: true, jsc: JSC });
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(`${target}.map`, map);
  writeFileSync(target, code);
}
