import { watch, type FSWatcher } from 'chokidar';

/** Debounce: an editor writes a file in several steps. Chokidar drops a change within 50 ms of the one before. */
const SETTLED_MS = 100;

/** Errors at the kernel's limit of watches, and of processes that watch. */
const LIMIT_REACHED: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EMFILE']);

const LIMIT_MESSAGE =
  'The limit of watched files is reached, so some changes are not seen. Raise it: sudo sysctl fs.inotify.max_user_watches=524288';

/**
 * Calls back with the files below a folder that were added, changed, replaced or removed, until the process ends. The paths
 * are relative to the folder. Resolves when the watch has begun. At the limit of watches, a part of the
 * folder is watched.
 *
 * Node's own recursive watch loses a file on Linux once another file has replaced it, as editors and git do.
 */
export async function watchFiles(folder: string, onChange: (paths: readonly string[]) => void): Promise<void> {
  const changed = new Set<string>();
  const watcher = watch('.', { cwd: folder, ignoreInitial: true });
  const timer = setTimeout(() => {
    const paths = [...changed];
    changed.clear();
    if (paths.length > 0) onChange(paths);
  }, SETTLED_MS);
  watcher.on('all', (_event, path) => {
    changed.add(path);
    timer.refresh();
  });
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
