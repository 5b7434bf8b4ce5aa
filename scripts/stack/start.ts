import { buildChanged, forgetBuild } from './build.ts';
import { requirePrograms } from './programs.ts';
import { requireSettings } from './settings.ts';
import { Stack } from './stack.ts';
import { StartError } from './start-error.ts';

/** One Ctrl-C can arrive twice, from the terminal and from npm; a second one this much later, in milliseconds, is meant. */
const SAME_SIGNAL_MS = 1_000;

const say = (sentence: string) => void process.stdout.write(`${sentence}\n`);

// Whoever read this may be gone, such as a terminal that was closed: everything must be stopped nevertheless.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

/**
 * `npm start` and, with `--watch`, `npm run dev`: the stack in the foreground until Ctrl-C or SIGTERM, which end it with 0. What
 * keeps it from starting ends it with 1 and a line that says why.
 */
try {
  const isWatching = process.argv.includes('--watch');
  const settings = { ...requireSettings(process.env), isWatching };
  const programs = requirePrograms(!settings.outsideRedis);
  buildChanged(settings.root, isWatching ? ['form-service'] : undefined);
  if (isWatching) forgetBuild(settings.root, 'form-service');
  const stack = new Stack(settings, programs, say);
  stopOnSignals(stack);
  await stack.start();
  const lines = Object.entries(stack.addresses).map(([name, address]) => `  ${name.padEnd(6)} ${address}\n`);
  say(`\nReady.\n${lines.join('')}  Data and logs in ${settings.dataDir}\nCtrl-C stops everything.`);
} catch (error) {
  process.stderr.write(`${sentenceFor(error)}\n`);
  process.exit(1);
}

/** The first signal stops the stack in order, a later one ends it at once. */
function stopOnSignals(stack: Stack): void {
  let stoppingSince: number | undefined;
  const stop = () => {
    if (stoppingSince !== undefined) {
      if (Date.now() - stoppingSince > SAME_SIGNAL_MS) stack.kill();
      return;
    }
    stoppingSince = Date.now();
    say('Stopping ...');
    void stack.stop().then(() => process.exit(0));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
}

/** What the file system refuses is as much the person's to put right as what we refuse; anything else is a fault of ours. */
function sentenceFor(error: unknown): string {
  if (error instanceof StartError) return error.message;
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === undefined || path === undefined) throw error;
  return `Cannot write ${path} (${code}).`;
}
