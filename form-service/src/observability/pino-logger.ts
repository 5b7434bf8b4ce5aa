import type { LoggerService } from '@nestjs/common';
import pino from 'pino';

/** The only field names that a log line may have: none of them can hold what a visitor sent. */
const ALLOWED = new Set(
  (
    'event reference references requestId form kind code cause status state error at ' +
    'attempts pauseMs seconds durationMs count deleted task url'
  ).split(' '),
);

/** Lines are written together: when there are so many bytes of them, or after so many milliseconds. */
const BUFFER_BYTES = 4_096;
const FLUSH_MS = 200;

/** Nest's logger as JSON lines on standard output. Each field is from a list of names that are known to be harmless. */
export class PinoLogger implements LoggerService {
  private readonly destination = pino.destination({ sync: false, minLength: BUFFER_BYTES });
  private readonly pino = pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: (level) => ({ level }) } },
    this.destination,
  );

  constructor() {
    setInterval(() => this.destination.flush(), FLUSH_MS).unref();
  }

  log(message: unknown, ...rest: unknown[]): void {
    this.pino.info(lineOf(message, rest));
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.pino.warn(lineOf(message, rest));
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.pino.error(lineOf(message, rest));
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.pino.fatal(lineOf(message, rest));
  }
}

/**
 * Nest adds the context as the last argument. Its own messages are texts about modules and routes; an error is logged
 * by name and code alone.
 */
function lineOf(message: unknown, rest: readonly unknown[]): object {
  const last = rest.at(-1);
  const context = typeof last === 'string' ? last : undefined;
  if (typeof message === 'string') return { context, event: message };
  if (message instanceof Error)
    return { context, event: 'error', error: message.name, code: (message as NodeJS.ErrnoException).code };
  const entries = Object.entries(message as object).filter(([name]) => ALLOWED.has(name));
  return { context, ...Object.fromEntries(entries) };
}
