import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const FRONTEND = join(import.meta.dirname, '..');

/** The last file that a build writes. */
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

/** Returns the time of the last change under `path`, in milliseconds since 1970, without tests. */
function newest(path) {
  const stats = statSync(path);
  if (stats.isFile()) return stats.mtimeMs;
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name),
  );
  return Math.max(0, ...files.map((file) => statSync(join(file.parentPath, file.name)).mtimeMs));
}

/** Builds the site if it is missing or older than a source. */
export default function buildSite() {
  const isFresh = existsSync(LAST_BUILT) && Math.max(...SOURCES.map(newest)) < statSync(LAST_BUILT).mtimeMs;
  if (!isFresh)
    execFileSync('npm', ['run', 'build', '--silent'], { cwd: FRONTEND, stdio: ['ignore', 'ignore', 'inherit'] });
}
