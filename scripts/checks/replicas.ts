import { runCommand } from './command.ts';
import { countOne, type Count } from './count.ts';
import { offerObjectGateway } from './optional-programs.ts';

/** Three apis and three workers on one bucket, some of which are killed. */
export async function checkReplicas(): Promise<Count> {
  if (!offerObjectGateway()) return { passed: 0, failed: 0, skipped: 1 };
  return countOne(await runCommand(process.execPath, ['scripts/replicas.mjs', '--short']));
}
