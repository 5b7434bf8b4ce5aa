import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { Log } from '../observability/log.ts';
import { ErasuresRepository } from './erasures.repository.ts';
import { FileStorage, submissionIdOf } from '../files/file-storage.ts';
import { serviceWords } from '../contract/service-words.ts';

const words = serviceWords('submissions');

/** Number of failed removals after which a clean-up stops, because an unavailable storage answers slowly. */
const FILE_FAILURES_MAX = 3;

/** Files and copies that an erasure could not remove yet. The worker retries until nothing remains. */
export interface Remainder {
  /** References of the erased submissions whose résumé remains. */
  readonly files: readonly string[];
  /** Whether copies of erased text may remain in the files of the database. */
  readonly copies: boolean;
}

/** Completes erasures: removes résumés of erased submissions, and the copies of rows that SQLite leaves in its files. */
@Injectable()
export class ErasureService {
  private readonly log = new Log('Erasure');

  constructor(
    private readonly database: Database,
    private readonly erasures: ErasuresRepository,
    private readonly files: FileStorage,
  ) {}

  /** Removes files and copies of all incomplete erasures, as far as possible now. */
  async cleanUp(): Promise<Remainder> {
    const incomplete = await this.erasures.incomplete();
    if (incomplete.length === 0) return { files: [], copies: false };
    const files: string[] = [];
    for (const { id, fileKey } of incomplete)
      if (fileKey !== null && (files.length >= FILE_FAILURES_MAX || !(await this.removeFile(id, fileKey))))
        files.push(submissionIdOf(fileKey));
    const cause = await this.database.removeCopies();
    if (cause === undefined) await this.erasures.complete(incomplete.map(({ id }) => id));
    else this.log.warn({ event: 'copies of erased rows may remain', count: incomplete.length, cause });
    return { files: [...new Set(files)], copies: cause !== undefined };
  }

  /** @returns false if the file cannot be removed now */
  private async removeFile(id: string, key: string): Promise<boolean> {
    try {
      await this.files.remove(key);
    } catch (error) {
      if (!(error instanceof StorageUnavailableError)) throw error;
      this.log.warn({
        event: 'file of an erased submission remains',
        reference: submissionIdOf(key),
        cause: error.message,
      });
      return false;
    }
    await this.erasures.fileRemoved(id);
    return true;
  }
}

/** Describes what remains of an erasure to staff and operators. Returns an empty text if nothing remains. */
export function remainderText({ files, copies }: Remainder): string {
  const sentences = [
    ...(files.length > 0 ? [words.fileRemains({ references: files.join(', ') })] : []),
    ...(copies ? [words.copiesRemain] : []),
  ];
  return sentences.length === 0 ? '' : [...sentences, words.retried].join(' ');
}
