import { StorageUnavailableError } from '../submission-store.ts';

/** Names trouble by the server's code or the network's, for example `AccessDenied` or `ECONNREFUSED`. A key holds a reference only, so the cause is kept. */
export function unavailable(error: unknown): StorageUnavailableError {
  if (error instanceof StorageUnavailableError) return error;
  const { code, name } = error as NodeJS.ErrnoException;
  return new StorageUnavailableError(`storage: ${code ?? name}`, { cause: error });
}

/** The status that the server answered with, where it did. */
export function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}
