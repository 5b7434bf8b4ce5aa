import { buildChanged, forgetBuild } from './build.ts';
import { requirePrograms } from './programs.ts';
import { reachable } from './services.ts';
import { readSettings } from './settings.ts';
import { settingsMistakes } from './settings-mistakes.ts';
import { Stack, type FrontSpec } from './stack.ts';
import { StartError, WrongSettings } from './start-error.ts';

interface Run {
  /** Workspaces to build first. */
  readonly builds?: readonly string[];
  /** What answers visitors; nginx unless given. */
  readonly front?: FrontSpec;
  /** Compile the form service again when its source changes, and start its processes anew. */
  readonly isWatching?: boolean;
}

/** Runs the stack in the foreground until Ctrl-C or SIGTERM; ends this process with 0, or with 1 and one line that says why. */
export async function run({ builds, front, isWatching = false }: Run = {}): Promise<void> {
  const say = (sentence: string) => void process.stdout.write(`${sentence}\n`);
  try {
    const mistakes = settingsMistakes(process.env, process.cwd());
    if (mistakes.length > 0) throw new WrongSettings(mistakes);
    const settings = { ...readSettings(process.env, process.cwd()), isWatching };
    const programs = requirePrograms(!settings.outsideRedis);
    buildChanged(settings.root, builds);
    if (isWatching) forgetBuild(settings.root, 'form-service');
    const stack = new Stack(settings, programs, say, front);
    stopOnSignals(stack, say);
    await stack.start();
    const host = reachable(settings.host).replace(/^127\.0\.0\.1$/, 'localhost');
    const site = settings.tls ? `https://${host}:${settings.tls.port}` : `http://${host}:${settings.port}`;
    say(`\nReady.\n  Site   ${site}`);
    if (!settings.outsideMail) say(`  Mail   http://${host}:${settings.mailUiPort}`);
    say(`  Data and logs in ${settings.dataDir}\nCtrl-C stops everything.`);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** One Ctrl-C can arrive twice, from the terminal and from npm; a second one this much later, in milliseconds, is meant. */
const SAME_SIGNAL_MS = 1_000;

/** The first signal stops the stack in order, a later one ends it at once. */
function stopOnSignals(stack: Stack, say: (sentence: string) => void): void {
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
