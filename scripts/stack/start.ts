import { buildChanged, invalidateBuild } from './build.ts';
import { contentReport, reportContentOnChange } from './content.ts';
import { askToInstall, missingPackages, requirePrograms } from './programs.ts';
import { requireSettings } from './settings.ts';
import { Stack } from './stack.ts';
import { messageOf } from './start-error.ts';
import { readArguments } from '../usage.ts';

const USAGE = `Builds and starts the site, the form service, nginx, Redis and a mail catcher, and prints where they are.
--watch (npm run dev) shows each change at once; --restart starts a process again that ends (tests of faults). Settings are environment variables or lines of .env: .env.example lists them.`;

const say = (sentence: string) => void process.stdout.write(`${sentence}\n`);

// Writing fails after the terminal was closed. The stack must still stop all processes.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

/**
 * `npm start` and, with `--watch`, `npm run dev`: runs the stack in the foreground. Exits with 0 after Ctrl-C or SIGTERM, and
 * with 1 and a message if the stack cannot start.
 */
const { values } = readArguments(USAGE, {
  options: { watch: { type: 'boolean', default: false }, restart: { type: 'boolean', default: false } },
});
try {
  const { watch: isWatching, restart: isRestarting } = values;
  const settings = { ...requireSettings(process.env), isWatching, isRestarting };
  const stack = new Stack(settings, say);
  await stack.prepare();
  stopOnSignals(stack);
  stack.onFailure = () => void stack.stop().then(() => process.exit(1));
  // Before the builds, whose output would hide the question.
  await askToInstall(missingPackages(!settings.hasExternalRedis));
  // The builds use the cores while packages are downloaded. The site, which takes longest, is awaited last.
  const site = isWatching ? reportContentOnChange(settings.root) : buildSite(settings.root);
  // A failure is reported where the result is awaited. Until then it is not an unhandled rejection.
  site.catch(() => undefined);
  const [programs] = await Promise.all([
    requirePrograms(!settings.hasExternalRedis),
    buildChanged(settings.root, ['form-service']),
  ]);
  if (isWatching) invalidateBuild(settings.root, 'form-service');
  await stack.start(programs, site);
  const lines = Object.entries(stack.addresses).map(([name, address]) => `  ${name.padEnd(6)} ${address}\n`);
  if (!stack.isStopped)
    say(`\nReady.\n${lines.join('')}  Data and logs are in ${settings.dataDir}\nPress Ctrl-C to stop.`);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
}

/** Builds the site, then prints what its content lacks, if anything. The output of a failed build says that too. */
async function buildSite(root: string): Promise<void> {
  const [report] = await Promise.all([contentReport(root), buildChanged(root, ['frontend'])]);
  process.stderr.write(report);
}

/** Stops the stack. One Ctrl-C can arrive twice, from the terminal and from npm. */
function stopOnSignals(stack: Stack): void {
  const stop = () => {
    if (!stack.isStopped) say('Stopping ...');
    void stack.stop().then(() => process.exit(0));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
}
