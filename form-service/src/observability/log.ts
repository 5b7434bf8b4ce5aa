import { Logger } from '@nestjs/common';

/** Allow-list of the fields of a log line. None of them can contain visitors' data. */
export const LOG_FIELDS = [
  'event',
  'reference',
  'references',
  'by',
  'how',
  'network',
  'reason',
  'requestId',
  'form',
  'kind',
  'code',
  'cause',
  'status',
  'state',
  'error',
  'at',
  'attempts',
  'pauseMs',
  'seconds',
  'durationMs',
  'count',
  'deleted',
  'task',
  'url',
] as const;

/** Fields of a log line. Other fields are a compile error; at run time the logger omits them. */
export type LogFields = { readonly event: string } & {
  readonly [Field in (typeof LOG_FIELDS)[number]]?: string | number | readonly string[] | undefined;
};

/** Nest's logger, restricted to the fields of the allow-list. */
export interface Log {
  debug(fields: LogFields): void;
  log(fields: LogFields): void;
  warn(fields: LogFields): void;
  error(fields: LogFields): void;
}
export const Log: { new (context: string): Log; readonly prototype: Log } = Logger;

/** Turns the log of this process off, for commands whose output is for people. */
export function turnLogOff(): void {
  Logger.overrideLogger(false);
}
