import { Readable, Writable } from 'node:stream';
import { runCommand } from '../src/cli/program.ts';

/**
 * Runs an operator's command in this process. Collects its output on stdout and stderr.
 *
 * @param taken awaited after each chunk on stdout, before the command can write the next one (back pressure)
 * @param pageRows number of rows that a statement takes, if not the default
 */
export async function run(
  variables: Readonly<Record<string, string>>,
  args: readonly string[],
  input: Readable | readonly Buffer[] = [],
  { taken = () => undefined, pageRows }: { taken?: () => unknown; pageRows?: number } = {},
) {
  const words: string[] = [];
  const out: Buffer[] = [];
  const stderr = new Writable({ write: (chunk, _encoding, done) => (words.push(String(chunk)), done()) });
  const stdout = new Writable({
    write: async (chunk: Buffer, _encoding, done) => {
      out.push(Buffer.from(chunk));
      await taken();
      done();
    },
  });
  // No Redis: port 1 is closed.
  const environment = { REDIS_URL: 'redis://127.0.0.1:1', ...variables };
  const stdin = input instanceof Readable ? input : Readable.from(input);
  const code = await runCommand(args, { stdin, stdout, stderr, environment, ...(pageRows && { pageRows }) });
  return { code, words: words.join(''), out: Buffer.concat(out) };
}
