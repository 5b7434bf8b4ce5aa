/** An error that the user can fix. Only its message is shown, without a stack trace. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Returns the message of an error that the user can fix, file system errors included. Throws any other error. */
export function messageOf(error: unknown): string {
  if (error instanceof StartError) return error.message;
  const { code, path, message } = error as NodeJS.ErrnoException;
  if (code === undefined || path === undefined) throw error;
  return message;
}
