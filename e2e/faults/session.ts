import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closingLine } from '../../scripts/checks/count.ts';
import { buildChanged } from '../../scripts/stack/build.ts';
import { checkLine } from './report.ts';
import type { Check } from './verdict.ts';

/** What a run with the product needs around it. */
export interface Session {
  /** The repository, built. */
  readonly root: string;
  /** Removed at the end when all is well. */
  readonly folder: string;
  /** Writes a line with the time since the start. */
  say(sentence: string): void;
  /** Runs at the end, however the run ends; what was noted last comes first. */
  atEnd(clean: () => unknown): void;
}

export interface Result {
  readonly checks: readonly Check[];
  /** Things that could not be tried here. */
  readonly skipped?: number;
  /** Names only the checks that failed. */
  readonly isQuiet?: boolean;
  /** Leaves the logs also when all is well. */
  readonly keepLogs?: boolean;
}

/** Builds what has changed, runs `body`, prints its checks, and sets the exit code. */
export async function runSession(
  name: string,
  builds: readonly string[] | undefined,
  body: (session: Session) => Promise<Result>,
): Promise<void> {
  const root = process.cwd();
  buildChanged(root, builds);
  const folder = mkdtempSync(join(tmpdir(), `kitewright-${name}-`));
  const startedAt = performance.now();
  const cleanUps: (() => unknown)[] = [];
  const cleanUp = async () => {
    for (let clean = cleanUps.pop(); clean; clean = cleanUps.pop()) {
      // A clean-up that fails must neither keep the others from running nor hide why the run broke off.
      await Promise.resolve()
        .then(clean)
        .catch(({ message }: Error) => session.say(`not cleaned up: ${message}`));
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void cleanUp().finally(() => process.exit(1)));
  const session: Session = {
    root,
    folder,
    say: (sentence) =>
      void process.stdout.write(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(7)} s  ${sentence}\n`),
    atEnd: (clean) => void cleanUps.push(clean),
  };
  try {
    const { checks, skipped = 0, isQuiet = false, keepLogs = false } = await body(session);
    await cleanUp();
    const failed = checks.filter(({ broken }) => broken.length > 0).length;
    const shown = checks.filter(({ broken }) => !isQuiet || broken.length > 0);
    process.stdout.write(`\n${shown.map(checkLine).join('\n')}\n`);
    if (failed > 0 || keepLogs) process.stdout.write(`\nLogs in ${folder}\n`);
    else rmSync(folder, { recursive: true });
    process.stdout.write(`\n${closingLine({ passed: checks.length - failed, failed, skipped })}\n`);
    process.exitCode = failed > 0 ? 1 : 0;
  } catch (error) {
    process.stdout.write(`\nLogs in ${folder}\n`);
    throw error;
  } finally {
    await cleanUp();
  }
}
