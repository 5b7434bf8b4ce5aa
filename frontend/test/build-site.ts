import { fileURLToPath } from 'node:url';
import { buildChanged } from '../../scripts/stack/build.ts';

/** Builds the site if its sources have changed, under the lock of the builds. */
export default function buildSite(): Promise<void> {
  return buildChanged(fileURLToPath(new URL('../..', import.meta.url)), ['frontend']);
}
