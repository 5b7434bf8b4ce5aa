import { execa } from 'execa';
import { readOptions } from './load-options.ts';
import { LoadError, loadForm, loadPage, type Operate } from './own-load.ts';
import { table } from './result.ts';

/** `npm run bench load -- --url URL` measures a running installation of one's own. */
const stop = new AbortController();
// The load ends, and the enquiries of --post are erased.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
try {
  const { post, ...load } = readOptions(process.argv.slice(2), process.env);
  const { url, perSecond, requests } = load;
  process.stdout.write(`${requests} requests to ${url.href}, ${perSecond} a second ...\n`);
  if (post) process.stdout.write(`Should this program be killed: submissions erase --email ${post.email} --yes\n`);
  const running = { ...load, signal: stop.signal };
  const result = await (post ? loadForm(running, post.email, operateWith(post.command)) : loadPage(running));
  const { statuses, ...figures } = result;
  const rounded = Object.entries(figures).map(([name, value]) => [name, Math.round(value * 10) / 10]);
  process.stdout.write(`${table([{ ...Object.fromEntries(rounded), responses: JSON.stringify(statuses) }])}\n`);
  if (post) process.stdout.write('All enquiries of this load are erased.\n');
} catch (error) {
  if (!(error instanceof LoadError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

function operateWith([program = '', ...args]: readonly string[]): Operate {
  return async (own) => {
    // A signal from the terminal reaches the whole process group, and the erasure must run to its end.
    const { exitCode, stdout } = await execa(program, [...args, ...own], {
      reject: false,
      detached: true,
      stdin: 'ignore',
      stderr: 'inherit',
    });
    return { code: exitCode, stdout };
  };
}
