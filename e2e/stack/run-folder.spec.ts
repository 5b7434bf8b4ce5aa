import { expect, test } from '@playwright/test';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../scripts/checks/temporary-folder.ts';
import { BOOT, sendSignal, waitForGroupEnd } from '../../scripts/stack/process-group.ts';
import { RunFolder } from '../../scripts/stack/run-folder.ts';

/** Starts a process whose group has lost its leader, and returns the group. */
const orphanedGroup = () =>
  Number(execFileSync('setsid', ['sh', '-c', 'sleep 600 > /dev/null 2>&1 & echo $$'], { encoding: 'utf8' }));

for (const { what, boot, isEnded } of [
  { what: 'ends the processes of a crashed run > this boot', boot: BOOT, isEnded: true },
  { what: 'leaves processes alone > the register is of another boot', boot: 'another boot', isEnded: false },
  { what: 'leaves processes alone > the register names no boot', boot: undefined, isEnded: false },
]) {
  test(`run folder > ${what}`, async () => {
    const folder = makeTemporaryFolder();
    const group = orphanedGroup();
    try {
      mkdirSync(join(folder, 'run'));
      const register = { boot, pid: group, processes: { api: `${group}-1` } };
      writeFileSync(join(folder, 'run/stack.json'), JSON.stringify(register));
      const run = new RunFolder(folder);
      await run.claim();
      run.release();
      expect(await waitForGroupEnd(group, 0)).toBe(isEnded);
    } finally {
      sendSignal(-group, 'SIGKILL');
      rmSync(folder, { recursive: true });
    }
  });
}
