import { rm } from 'node:fs/promises';
import { stopSharedServers } from './shared-servers.ts';

/** Jest global teardown: ends the shared servers. */
export default async function tearDown(): Promise<void> {
  await rm(stopSharedServers(), { recursive: true, force: true, maxRetries: 10 });
}
