import { watch } from 'chokidar';

/** Debounce: an editor writes a file in several steps. Chokidar drops a change within 50 ms of the one before. */
const SETTLED_MS = 100;

/**
 * Calls back with the files below a folder that were added, changed, replaced or removed, until the process ends. The paths
 * are relative to the folder. Resolves when it watches. An error, such as the kernel's limit of watches, ends the process.
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
  await new Promise<void>((resolve) => watcher.once('ready', resolve));
}
