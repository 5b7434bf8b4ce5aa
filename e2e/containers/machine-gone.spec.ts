import { expect, test } from '@playwright/test';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { Mailbox } from '../harness/mailbox.ts';
import { BUILT_WITH, commandsUnder, Deployment, withoutRegistry } from './deployment.ts';

/**
 * Fake of restic with the folder $ELSEWHERE as its repository: `backup` copies files, `dump` prints one. Like restic, it keeps
 * the path of a file as `backup` got it, so that `dump` finds /srv/kitewright/.env only if `backup` got the absolute path.
 */
const RESTIC = `restic() {
  case $1 in
    backup) shift; for file; do [ "$file" = --quiet ] || cp --parents "$file" "$ELSEWHERE/"; done ;;
    dump) cat "$ELSEWHERE/$3" ;;
  esac
}
export -f restic`;

let elsewhere: string;
const machines: Deployment[] = [];

async function newMachine(): Promise<Deployment> {
  const machine = await Deployment.create();
  machines.push(machine);
  return machine;
}

test.beforeAll(() => {
  elsewhere = makeTemporaryFolder();
});
test.afterAll(async () => {
  for (const machine of machines) await machine.remove();
  rmSync(elsewhere, { recursive: true, force: true });
});

test('restore to a new machine > mails pending submissions and repeats erasures', async () => {
  const env = { ELSEWHERE: elsewhere };
  const lost = await newMachine();
  // Images of their own: those that a command builds are removed with the machine.
  lost.set({ ...BUILT_WITH, VERSION: 'machine-gone' });
  await lost.up();
  await lost.enquiryArrives();
  const erased = lost.reference;
  await lost.do('docker compose stop mail');
  await expect(async () => expect((await lost.apply()).status).toBe(202)).toPass();
  const pending = lost.reference;

  // The backup script of install.md, without the commands that prepare the repository.
  const [, script = ''] =
    /kitewright-backup <<'END'\n[^]*?cd \/srv\/kitewright\n([^]*?)END\n/.exec(
      readFileSync(join(lost.folder, 'docs/install.md'), 'utf8'),
    ) ?? [];
  expect(script).toContain('submissions backup --done');
  const inFolder = (commands: string) => commands.replaceAll('/srv/kitewright', lost.folder);
  await lost.do(`set -e; ${RESTIC}\n${inFolder(script)}`, { env });
  // The archive still contains the erased row, and the file that the operator keeps contains the erasure.
  const submissions = 'docker compose exec -T worker submissions';
  const kept = await lost.do(`${submissions} erase --email ana@example.org --yes`);
  await lost.do('docker compose --profile "*" down --volumes --timeout 5');

  const found = await newMachine();
  const begun = Date.now();
  writeFileSync(join(found.folder, '.env'), '');
  writeFileSync(join(found.folder, 'erasures.jsonl'), `${kept}\n`);
  const commands = withoutRegistry(commandsUnder('docs/operations.md', '### The machine is gone'));
  expect(commands.split('\n').filter((line) => /docker|restic/.test(line))).toHaveLength(6);
  // The exit code is ignored: doctor reports the mail account of the example.
  const { stdout, stderr } = await found.run(`${RESTIC}\n${inFolder(commands)}`, { env });
  expect(stderr).toContain('Restored: 2 submissions, 1 files');
  expect(stdout, stderr).toContain('ok    storage');
  const listed = await found.do(`${submissions} list --state all`);
  expect(listed).toContain(pending);
  expect(listed).not.toContain(erased);
  const mailbox = new Mailbox(`http://127.0.0.1:${lost.mailUiPort}`);
  await mailbox.waitFor(pending);
  test.info().annotations.push({ type: 'seconds', description: String((Date.now() - begun) / 1_000) });
  expect(await mailbox.count(pending)).toBe(1);
});
