/** Something the person at the keyboard can put right: shown as its one-line message, without a stack trace. */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}

/** Wrong variables, each named once and never its value. */
export class WrongSettings extends StartError {
  override readonly name = 'WrongSettings';
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(`Wrong settings: ${mistakes.join('; ')}.`);
    this.mistakes = mistakes;
  }
}
