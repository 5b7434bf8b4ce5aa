import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const FRONTEND = join(import.meta.dirname, '..');

/** The last file a build writes. */
const LAST_BUILT = join(FRONTEND, 'dist/site/index.html.br');

const SOURCES = [
  'index.html',
  'src',
  'content',
  'build',
  'public',
  'vite.config.ts',
  '../form-service/src/contract',
].map((path) => join(FRONTEND, path));

/** When the newest source under `path` changed, in milliseconds since 1970; tests are no source. */
function newest(path) {
  const stats = statSync(path);
  if (stats.isFile()) return stats.mtimeMs;
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name),
  );
  return Math.max(0, ...files.map((file) => statSync(join(file.parentPath, file.name)).mtimeMs));
}

/** Builds the site when there is none, or when it is older than a source. */
export default function buildSite() {
  const isFresh = existsSync(LAST_BUILT) && Math.max(...SOURCES.map(newest)) < statSync(LAST_BUILT).mtimeMs;
  if (!isFresh)
    execFileSync('npm', ['run', 'build', '--silent'], { cwd: FRONTEND, stdio: ['ignore', 'ignore', 'inherit'] });
}
