/** Runs a costly step at most once at a time; each run serves every caller that asked before it began. */
export class GroupCommit {
  private running: Promise<void> = Promise.resolve();
  private waiting: Promise<void> | undefined;

  constructor(private readonly step: () => Promise<void>) {}

  request(): Promise<void> {
    this.waiting ??= this.running.then(() => {
      this.waiting = undefined;
      const run = this.step();
      this.running = run.catch(() => undefined);
      return run;
    });
    return this.waiting;
  }

  /** Resolves when nothing runs any more; a failure was told to those who asked. */
  async idle(): Promise<void> {
    await this.waiting?.catch(() => undefined);
    await this.running;
  }
}
