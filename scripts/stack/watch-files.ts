import { watch, type FSWatcher } from 'chokidar';

/** Chokidar drops a change within 50 ms of the one before. What reads a file later than that misses none. */
const DELAY_MS = 60;

/** Errors at the kernel's limit of watches, and of processes that watch. */
const LIMIT_REACHED: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EMFILE']);

const LIMIT_MESSAGE =
  'The limit of watched files is reached, so some changes are not seen. Raise it: sudo sysctl fs.inotify.max_user_watches=524288';

/**
 * Calls back with each file below a folder that is added, changed, replaced or removed, until the process ends. The path
 * is relative to the folder. Resolves when the watch has begun. At the limit of watches, a part of the folder is watched.
 *
 * Node's own recursive watch loses a file on Linux once another file has replaced it, as editors and git do.
 */
export async function watchFiles(folder: string, onChange: (path: string) => void): Promise<void> {
  const watcher = watch('.', { cwd: folder, ignoreInitial: true });
  watcher.on('all', (_event, path) => setTimeout(onChange, DELAY_MS, path));
  reportLimit(watcher, (message) => process.stderr.write(`${message}\n`));
  await new Promise<void>((resolve) => watcher.once('ready', resolve));
}

/** Reports once that a watcher has reached the limit. Any other error of a watcher ends the process. */
export function reportLimit(watcher: Pick<FSWatcher, 'on'>, report: (message: string) => void): void {
  let isReported = false;
  watcher.on('error', (error) => {
    if (!LIMIT_REACHED.has((error as NodeJS.ErrnoException).code)) throw error;
    if (!isReported) report(LIMIT_MESSAGE);
    isReported = true;
  });
}
