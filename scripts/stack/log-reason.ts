/** First line of the message of invalid settings. Each mistake is a line below it. */
const MISTAKES = /^The environment has mistakes:\n((?: {2}.*(?:\n|$))+)/m;

/** Line of a stack trace with its message, or of an nginx or a Redis that cannot start. */
const ERROR = /^(?:\w*Error(?: \[\w+\])?: .*|nginx: \[emerg\] .*|\d+:\w .* # (?:Fatal|Failed|Can't|Could not).*)$/gm;

/** Returns in one line why a process of this log did not start or waits, if the log says it. */
export function reasonIn(log: string): string | undefined {
  const [, mistakes] = MISTAKES.exec(log) ?? [];
  if (mistakes !== undefined) return mistakes.trim().replaceAll(/\n\s*/g, '; ');
  const [error] = [...log.matchAll(ERROR)].at(-1) ?? [];
  return error ?? log.split('\n').map(causeOf).findLast(Boolean);
}

/** Returns event and cause of a line of the service that is an error. */
function causeOf(line: string): string | undefined {
  try {
    const { level, event, cause, error } = JSON.parse(line) as Readonly<Record<string, string | undefined>>;
    return level === 'error' ? [event, cause ?? error].filter(Boolean).join(': ') : undefined;
  } catch {
    return undefined;
  }
}
