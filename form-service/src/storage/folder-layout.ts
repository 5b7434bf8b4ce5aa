import { join } from 'node:path';
import { isSubmissionId, shardOf } from './submission-id.ts';
import { SUBMISSION_STATES, type SubmissionState } from './submission.ts';

export const SHARD_COUNT = 256;

const SHARDS = Array.from({ length: SHARD_COUNT }, (_, shard) => shardName(shard));

/**
 * Where the folder store keeps what:
 *
 * ```text
 * incoming/<instance>~<pid>~<nonce>~<n>     uploads and half-written records of a living process
 * journal/<instance>~<pid>~<nonce>~<n>      accepted records that are not durable by themselves yet
 * pending/<id>.json                         one file, one submission
 * delivered/<2 hex of sha256(id)>/<id>.json
 * failed/<id>.json
 * quarantined/<id>.json
 * files/<2 hex of sha256(id)>/<id>.<16 hex of the file's sha256>
 * claims/<id>                               who is delivering it; <id>.change: who is changing it
 * damaged/<state>-<id>.json                 records that could not be read
 * erasures.log                              proof of erasures, one line each
 * ```
 *
 * A résumé's name holds its digest, so that of two sends under one key neither replaces the other's bytes.
 */
export class FolderLayout {
  readonly incoming: string;
  readonly journal: string;
  readonly claims: string;
  readonly damaged: string;
  readonly erasures: string;

  constructor(readonly root: string) {
    this.incoming = join(root, 'incoming');
    this.journal = join(root, 'journal');
    this.claims = join(root, 'claims');
    this.damaged = join(root, 'damaged');
    this.erasures = join(root, 'erasures.log');
  }

  /** Every folder, to be made when the store opens. */
  all(): string[] {
    const records = SUBMISSION_STATES.flatMap((state) => this.foldersOf(state));
    return [this.incoming, this.journal, this.claims, this.damaged, ...records, ...SHARDS.map((shard) => join(this.root, 'files', shard))];
  }

  /** The folders that hold the records of a state. */
  foldersOf(state: SubmissionState): string[] {
    const folder = join(this.root, state);
    return state === 'delivered' ? SHARDS.map((shard) => join(folder, shard)) : [folder];
  }

  /** One of the {@link SHARD_COUNT} folders of résumés. */
  fileFolder(shard: number): string {
    return join(this.root, 'files', shardName(shard));
  }

  folderOf(state: SubmissionState, id: string): string {
    return state === 'delivered' ? join(this.root, state, shardOf(id)) : join(this.root, state);
  }

  record(state: SubmissionState, id: string): string {
    if (!isSubmissionId(id)) throw new RangeError('not a submission id');
    return join(this.folderOf(state, id), `${id}.json`);
  }

  resumeFolder(id: string): string {
    return join(this.root, 'files', shardOf(id));
  }

  resume(id: string, sha256: string): string {
    return join(this.resumeFolder(id), `${id}.${sha256.slice(0, 16)}`);
  }

  damagedRecord(state: SubmissionState, id: string): string {
    return join(this.damaged, `${state}-${id}.json`);
  }
}

function shardName(shard: number): string {
  return shard.toString(16).padStart(2, '0');
}
