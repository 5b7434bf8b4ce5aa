import type { LoggerService } from '@nestjs/common';
import pino from 'pino';
import { LOG_FIELDS } from './log.ts';

const ALLOWED = new Set<string>(LOG_FIELDS);

/** Flushes at 4 KiB, or after 200 ms. */
const BUFFER_BYTES = 4_096;
const FLUSH_MS = 200;

/** Writes Nest's log as JSON lines to standard output, with the fields of the allow-list only. */
export class PinoLogger implements LoggerService {
  private readonly destination = pino.destination({ sync: false, minLength: BUFFER_BYTES });
  private readonly pino = pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: (level) => ({ level }) } },
    this.destination,
  );

  constructor() {
    setInterval(() => this.destination.flush(), FLUSH_MS).unref();
  }

  /** Omits Nest's own messages at this level: one line per module and route at every start. */
  log(message: unknown, ...rest: unknown[]): void {
    if (typeof message === 'string') return;
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

/** Returns the fields of a line. Nest passes the context last. Errors are logged without message, by name and code. */
function lineOf(message: unknown, rest: readonly unknown[]): object {
  const last = rest.at(-1);
  const context = typeof last === 'string' ? last : undefined;
  if (typeof message === 'string') return { context, event: message };
  if (message instanceof Error)
    return { context, event: 'error', error: message.name, code: (message as NodeJS.ErrnoException).code };
  const entries = Object.entries(message as object).filter(([name]) => ALLOWED.has(name));
  return { context, ...Object.fromEntries(entries) };
}
