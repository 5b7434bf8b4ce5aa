/**
 * The file of a worker thread, beside the module that starts it. A thread cannot run TypeScript: when that module runs
 * from source, as in tests, the thread runs the built file.
 *
 * @param name for example `sqlite.thread`
 * @param moduleUrl `import.meta.url` of the module that starts the thread
 */
export function threadFile(name: string, moduleUrl: string): URL {
  return new URL(`${name}.js`, moduleUrl.replace(/\/form-service\/src\/(?=.*\.ts$)/, '/form-service/dist/'));
}
