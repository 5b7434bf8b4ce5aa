import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Builds the service once before the tests: its processes and threads run what is shipped. */
export default function build(): void {
  const folder = fileURLToPath(new URL('..', import.meta.url));
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: folder, stdio: 'inherit' });
}
