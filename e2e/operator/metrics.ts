/** The figures of one process, as it gives them now. */
export class Metrics {
  readonly #lines: readonly string[];

  private constructor(text: string) {
    this.#lines = text.split('\n');
  }

  /** @param address host:port */
  static async of(address: string): Promise<Metrics> {
    return new Metrics(await (await fetch(`http://${address}/metrics`)).text());
  }

  /** Sum of the series of a name whose labels all stand in the line as given, for example `state="failed"`. */
  sum(name: string, ...labels: readonly string[]): number {
    return this.#lines
      .filter(
        (line) =>
          (line.startsWith(`${name}{`) || line.startsWith(`${name} `)) && labels.every((label) => line.includes(label)),
      )
      .reduce((total, line) => total + Number(line.slice(line.lastIndexOf(' '))), 0);
  }
}
