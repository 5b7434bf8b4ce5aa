/** Something the person at the keyboard can put right: shown as its one-line message, without a stack trace. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
