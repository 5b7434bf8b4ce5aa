import { once } from 'node:events';
import { watch } from 'chokidar';

/** Chokidar drops a change within 50 ms of the one before. What reads a file later than that misses none. */
const DELAY_MS = 60;

/**
 * Calls back with each file below a folder that is added, changed, replaced or removed, until the process ends. The path
 * is relative to the folder. Resolves when the watch has begun.
 *
 * Node's own recursive watch loses a file on Linux once another file has replaced it, as editors and git do.
 */
export async function watchFiles(folder: string, onChange: (path: string) => void): Promise<void> {
  const watcher = watch('.', { cwd: folder, ignoreInitial: true });
  watcher.on('all', (_event, path) => setTimeout(onChange, DELAY_MS, path));
  await once(watcher, 'ready');
}
