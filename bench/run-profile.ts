import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { buildChanged } from '../scripts/stack/build.ts';
import { withMailServer } from './delivery.ts';
import { postEnquiries } from './load.ts';
import { withApi, withBackends, withWorker } from './processes.ts';

const FOLDER = resolve('profiles');
const DELIVERY_MS = 8_000;

/**
 * `npm run profile`: where the time goes on the two hottest paths, the api while it accepts as many enquiries as it can, and the
 * worker while it mails what came. V8 writes each into `profiles/`; `npx speedscope FILE` shows it as a flame graph.
 */
buildChanged(process.cwd(), ['form-service']);
const flags = (name: string) => ['--cpu-prof', `--cpu-prof-dir=${FOLDER}`, `--cpu-prof-name=${name}.cpuprofile`];
await withBackends(async (env) => {
  await withApi(env, postEnquiries, flags('accept'));
  // What the api has accepted keeps the worker busy from its start to its end.
  await withMailServer((url) => withWorker({ ...env, SMTP_URL: url }, () => pause(DELIVERY_MS), flags('deliver')));
});
process.stdout.write(`${FOLDER}/accept.cpuprofile and deliver.cpuprofile: npx speedscope FILE shows one.\n`);
