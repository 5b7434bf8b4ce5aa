import { fileURLToPath } from 'node:url';
import { buildChanged } from '../../scripts/stack/build.ts';
import { useSharedServers } from './shared-servers.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Cache of compiled modules, which halves the start of each process and of each thread of SQLite. */
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/kitewright/compiled', import.meta.url));

/** Jest global setup: builds the service, removes what killed runs left, and creates the folder of the shared servers. */
export default async function setUp(): Promise<void> {
  process.env.NODE_COMPILE_CACHE ??= COMPILED;
  // The tests run the shipped code.
  await buildChanged(fileURLToPath(new URL('../..', import.meta.url)), ['form-service']);
  useSharedServers((await temporaryFolder()).path);
}
