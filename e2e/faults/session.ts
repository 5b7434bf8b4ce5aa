import { renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { MailServer } from '../../form-service/test/mail-server.ts';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import type { Check } from './checks.ts';
import { Observations } from './observations.ts';

/** Resources of a run. */
export interface Session {
  /** Temporary folder, deleted if all checks pass. */
  readonly folder: string;
  /** Receives the mails of the product and reports them to `observed`. */
  readonly mail: MailServer;
  readonly observed: Observations;
  /** Writes a line with the time since the start. */
  log(sentence: string): void;
  /** Registers a clean-up. They run in reverse order, even if the run fails. */
  atEnd(clean: () => unknown): void;
}

export interface SessionResult {
  readonly checks: readonly Check[];
  /** Number of checks that this machine cannot run. */
  readonly skipped?: number;
}

const MESSAGE_MAX_BYTES = 50_000_000;

/** Runs `body`, prints its checks, and sets the exit code. */
export async function runSession(name: string, body: (session: Session) => Promise<SessionResult>): Promise<void> {
  const folder = makeTemporaryFolder();
  const startedAt = performance.now();
  const log = (sentence: string) =>
    void process.stdout.write(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(7)} s  ${sentence}\n`);
  const cleanUps: (() => unknown)[] = [];
  const cleanUp = async () => {
    for (let clean = cleanUps.pop(); clean; clean = cleanUps.pop()) {
      // A failed clean-up must neither prevent the others nor hide the error of the run.
      await Promise.resolve()
        .then(clean)
        .catch(({ message }: Error) => log(`clean-up failed: ${message}`));
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void cleanUp().finally(() => process.exit(1)));
  const observed = new Observations();
  const mail = await MailServer.start({ size: MESSAGE_MAX_BYTES }, observed);
  cleanUps.push(() => mail.stop());
  try {
    const atEnd = (clean: () => unknown) => void cleanUps.push(clean);
    const { checks, skipped = 0 } = await body({ folder, mail, observed, log, atEnd });
    await cleanUp();
    const failed = checks.filter(({ broken }) => broken.length > 0).length;
    process.stdout.write(`\n${checks.map(lineOf).join('\n')}\n`);
    if (failed > 0) keepLogs(folder, name);
    else rmSync(folder, { recursive: true });
    const left = skipped > 0 ? `, ${skipped} skipped` : '';
    process.stdout.write(`\n${checks.length - failed} passed, ${failed} failed${left}\n`);
    process.exitCode = failed > 0 ? 1 : 0;
  } catch (error) {
    await cleanUp();
    keepLogs(folder, name);
    throw error;
  } finally {
    await cleanUp();
  }
}

/** Renames the folder, so that the next run does not remove it. */
function keepLogs(folder: string, name: string): void {
  const kept = join(tmpdir(), `kitewright-${name}-${basename(folder)}`);
  renameSync(folder, kept);
  process.stdout.write(`\nLogs in ${kept}\n`);
}

/** Formats a check. Lists references, never the data of visitors. */
function lineOf({ promise, broken }: Check): string {
  if (broken.length === 0) return `  ok      ${promise}`;
  return `  FAILED  ${promise}: ${broken.join(', ')}`;
}
