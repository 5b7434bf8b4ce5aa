import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { buildChanged } from '../scripts/stack/build.ts';
import { findProgram, installPackages, requirePrograms } from '../scripts/stack/programs.ts';
import { CONTACT_SHAPE } from './contact-body.ts';
import { callTree, type CpuProfile } from './cpu-profile.ts';
import { flameGraph } from './flame-graph.ts';
import { withApi, withBackends, withWorker } from './form-service.ts';
import { MailSink } from './mail-sink.ts';
import { runWrk } from './wrk.ts';

const FOLDER = 'docs/profiles';
const DELIVERY_MS = 8_000;

/**
 * `npm run profile`: draws where the time goes on the two hottest paths, as flame graphs into docs/profiles: the api while it
 * accepts as many enquiries as it can, and the worker while it mails what came.
 */
if (findProgram('wrk') === undefined) installPackages(['wrk']);
const programs = requirePrograms(true);
buildChanged(process.cwd(), ['form-service']);
mkdirSync(FOLDER, { recursive: true });

await withBackends(programs, async (env) => {
  await profiled('accept', 'The api accepting enquiries at full load', (flags) =>
    withApi(
      env,
      async (api) => void (await runWrk({ url: `${api}/api/contact`, connections: 32, script: CONTACT_SHAPE })),
      flags,
    ),
  );
  const sink = await MailSink.start();
  // What the api has accepted keeps the worker busy from its start to its end.
  await profiled('deliver', 'The worker mailing a backlog', (flags) =>
    withWorker({ ...env, SMTP_URL: sink.url }, () => pause(DELIVERY_MS), flags),
  );
  await sink.stop();
});

async function profiled(
  name: string,
  title: string,
  action: (flags: readonly string[]) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kitewright-profile-'));
  try {
    await action(['--cpu-prof', `--cpu-prof-dir=${folder}`]);
    const [file = ''] = readdirSync(folder);
    const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile;
    const target = join(FOLDER, `${name}.svg`);
    writeFileSync(target, flameGraph(title, callTree(profile)));
    process.stdout.write(`${target}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
