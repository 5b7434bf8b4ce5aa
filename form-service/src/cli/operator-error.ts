/** Exit codes of the operator's commands, as `submissions --help` lists them. */
export const EXIT = { ok: 0, trouble: 1, usage: 2, notFound: 3, wrongState: 4, busy: 5 } as const;

/** A command cannot do what it was asked to, in words for the operator. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';

  constructor(
    message: string,
    readonly exitCode: (typeof EXIT)[keyof typeof EXIT],
  ) {
    super(message);
  }
}
