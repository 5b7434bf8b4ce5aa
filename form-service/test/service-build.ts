import { fileURLToPath } from 'node:url';
import { buildChanged } from '../../scripts/stack/build.ts';

/** Builds the service before the tests, unless it is built: its processes and threads run what is shipped. */
export default function build(): void {
  buildChanged(fileURLToPath(new URL('../..', import.meta.url)), ['form-service']);
}
