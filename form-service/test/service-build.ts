import { fileURLToPath } from 'node:url';
import { buildChanged } from '../../scripts/stack/build.ts';

/** Builds the service if its sources changed, so that the tests run the shipped code. */
export default function build(): Promise<void> {
  return buildChanged(fileURLToPath(new URL('../..', import.meta.url)), ['form-service']);
}
