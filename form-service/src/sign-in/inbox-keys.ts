import { hkdfSync } from 'node:crypto';
import type { Database } from '../database/database.ts';
import { secretOf } from '../database/properties.ts';

/** Uses of the installation's key. Each has a key of its own, so that no cookie passes for another one. */
export type KeyUse = 'single sign-on' | 'former session' | 'draft';

/** Derives a key of 32 bytes from that of the installation (HKDF). Every worker derives the same. */
export async function inboxKey(database: Database, use: KeyUse): Promise<Buffer> {
  const secret = await secretOf(database, 'inbox sign-in key');
  return Buffer.from(hkdfSync('sha256', secret, '', `inbox ${use}`, 32));
}
