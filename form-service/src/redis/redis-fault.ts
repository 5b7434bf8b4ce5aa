/** Fault of Redis, and its remedy for the operator. Neither contains values. */
export interface RedisFault {
  readonly cause: string;
  readonly remedy: string;
}

/** There is no connection. */
export const UNREACHABLE: RedisFault = {
  cause: 'does not answer',
  remedy: 'Run docker compose up -d redis, or fix REDIS_URL',
};

/** The connection of a frozen Redis stays open. */
export const SILENT: RedisFault = {
  cause: 'connected, but does not answer',
  remedy: 'Run docker compose restart redis',
};

/** Codes with which Redis rejects commands although it answers, each with its meaning and its remedy. */
const REJECTIONS: Readonly<Record<string, readonly [meaning: string, remedy: string]>> = {
  OOM: ['its memory is full', 'Delete the data of other programs in it, or raise maxmemory'],
  READONLY: ['it is a read-only replica', 'Let REDIS_URL lead to the primary, or run REPLICAOF NO ONE'],
  MASTERDOWN: ['it is a replica without its primary', 'Let REDIS_URL lead to the primary, or run REPLICAOF NO ONE'],
  NOREPLICAS: ['it has too few replicas', 'Start its replicas, or lower min-replicas-to-write'],
  MISCONF: ['it cannot save its data', 'Look at the disk of Redis and at its log, such as docker compose logs redis'],
  LOADING: ['it is loading its data', 'Wait until it has finished'],
  NOAUTH: ['it requires a password', 'Add the password to REDIS_URL: redis://:password@host:6379'],
  WRONGPASS: ['it rejects user or password', 'Fix them in REDIS_URL. Write special characters as %40'],
  NOPERM: ['its user may not write', 'Allow the user in REDIS_URL all commands on keys that begin with kitewright'],
};

/** Finds the code anywhere in a reply: in the error of a script, Redis 6 puts other words before it. */
const CODE = new RegExp(`\\b(?:${Object.keys(REJECTIONS).join('|')})\\b`);

/** Scripts of Redis 7 reject a command that the user may not run without its code. */
const NO_PERMISSION_IN_SCRIPT = /user executing the script/;

/** Returns the fault that Redis's reply to a command names, if the error is such a reply. */
export function rejectionOf(error: unknown): RedisFault | undefined {
  if (!(error instanceof Error) || error.name !== 'ReplyError') return undefined;
  const code = codeOf(error.message);
  const [meaning, remedy] = REJECTIONS[code] ?? ['it rejects commands', 'See its log'];
  return { cause: `${meaning} (${code})`, remedy };
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

  constructor({ cause }: RedisFault, options?: ErrorOptions) {
    super(`REDIS_URL: ${cause}`, options);
  }
}
