import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SUBMISSION_STATES, type SubmissionState } from '../../form-service/src/storage/submission.ts';

const execute = promisify(execFile);

/** Uses the operator's commands, as a person would. */
export class Operator {
  readonly #program: string;
  readonly #storage: Readonly<Record<string, string>>;

  /** @param keys further variables that this storage needs */
  constructor(root: string, storageUrl: string, keys: Readonly<Record<string, string>> = {}) {
    this.#program = join(root, 'form-service/dist/cli.js');
    this.#storage = { ...keys, STORAGE_URL: storageUrl };
  }

  /** References of the submissions in a state. */
  async list(state: SubmissionState): Promise<string[]> {
    const rows = JSON.parse(await this.#run('list', '--state', state, '--json')) as { reference: string }[];
    return rows.map(({ reference }) => reference);
  }

  /** The state of every submission there is, by reference. */
  async listAll(): Promise<Map<string, string>> {
    const all = new Map<string, string>();
    for (const state of SUBMISSION_STATES) for (const reference of await this.list(state)) all.set(reference, state);
    return all;
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
