import { StartError } from '../stack/start-error.ts';
import { findProgram, installPackages } from '../stack/programs.ts';
import { runCommand } from './command.ts';
import { countOne, type Count } from './count.ts';

/** A monitor and a store of objects, and the gateway that makes them speak S3: the parts of a Ceph cluster. */
const PROGRAMS = { radosgw: 'radosgw', 'ceph-mon': 'ceph-mon', 'ceph-osd': 'ceph-osd' } as const;

/** Makes the tests of object storage run where a server for them can be installed; elsewhere false, after one line that says why. */
export function offerObjectGateway(): boolean {
  const missing = Object.entries(PROGRAMS).flatMap(([program, name]) => (findProgram(program) === undefined ? [name] : []));
  if (missing.length === 0) return true;
  try {
    installPackages(missing);
    return true;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stdout.write(`Object storage will not be tested. ${error.message}\n`);
    return false;
  }
}

/** Three apis and three workers on one bucket, some of which are killed. */
export async function checkReplicas(): Promise<Count> {
  if (!offerObjectGateway()) return { passed: 0, failed: 0, skipped: 1 };
  return countOne(await runCommand(process.execPath, ['scripts/replicas.mjs', '--short']));
}
