import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SubmissionState } from '../../form-service/src/submissions/submission.ts';
import type { Storage } from '../faults/records.ts';

const execute = promisify(execFile);

/** Uses the operator's commands, as a person would. */
export class Operator {
  readonly #program: string;
  readonly #storage: Storage;

  constructor(root: string, storage: Storage) {
    this.#program = join(root, 'form-service/dist/cli.js');
    this.#storage = storage;
  }

  /** References of the submissions in a state. */
  async list(state: SubmissionState): Promise<string[]> {
    const rows = JSON.parse(await this.#run('list', '--state', state, '--json')) as { reference: string }[];
    return rows.map(({ reference }) => reference);
  }

  async resendAllFailed(): Promise<void> {
    await this.#run('resend', '--all-failed');
  }

  async #run(...args: string[]): Promise<string> {
    const env = { ...process.env, ...this.#storage };
    const { stdout } = await execute(process.execPath, [this.#program, ...args], { env, maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  }
}
