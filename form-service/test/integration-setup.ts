import build from './service-build.ts';
import { useSharedServers } from './shared-servers.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Jest global setup: builds the service and creates the folder of the shared servers. */
export default async function setUp(): Promise<void> {
  build();
  useSharedServers((await temporaryFolder()).path);
}
