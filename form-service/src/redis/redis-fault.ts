/** There is no connection. */
export const UNREACHABLE = 'does not answer';

/** The connection of a frozen Redis stays open. */
export const SILENT = 'connected, but does not answer';

/** Codes with which Redis rejects commands although it answers, each with its meaning. */
const REJECTIONS: Readonly<Record<string, string>> = {
  OOM: 'its memory is full',
  READONLY: 'it is a read-only replica',
  MASTERDOWN: 'it is a replica without its primary',
  NOREPLICAS: 'it has fewer replicas than min-replicas-to-write',
  MISCONF: 'it cannot save its data',
  LOADING: 'it is loading its data',
  NOAUTH: 'it requires a password',
  WRONGPASS: 'it rejects user or password',
  NOPERM: 'its user may not write',
};

/** Finds the code anywhere in a reply: in the error of a script, Redis 6 puts other words before it. */
const CODE = new RegExp(`\\b(?:${Object.keys(REJECTIONS).join('|')})\\b`);

/** Scripts of Redis 7 reject a command that the user may not run without its code. */
const NO_PERMISSION_IN_SCRIPT = /user executing the script/;

/** Returns the fault that Redis's reply to a command names, without values, if the error is such a reply. */
export function rejectionOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== 'ReplyError') return undefined;
  const code = codeOf(error.message);
  return `${REJECTIONS[code] ?? 'it rejects commands'} (${code})`;
}

function codeOf(message: string): string {
  if (NO_PERMISSION_IN_SCRIPT.test(message)) return 'NOPERM';
  return CODE.exec(message)?.[0] ?? /^[A-Z]+/.exec(message)?.[0] ?? 'ERR';
}

/** Whether a replica has rejected a command. */
export function isFromReplica({ message }: Error): boolean {
  return /\b(?:READONLY|MASTERDOWN)\b/.test(message);
}

/** Redis cannot be used now. Nothing is lost; a retry may help. */
export class RedisUnavailableError extends Error {
  override readonly name = 'RedisUnavailableError';

  constructor(fault: string, options?: ErrorOptions) {
    super(`REDIS_URL: ${fault}`, options);
  }
}
