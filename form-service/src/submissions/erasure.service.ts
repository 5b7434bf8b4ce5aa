import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { Log } from '../observability/log.ts';
import { ErasuresRepository } from './erasures.repository.ts';
import { FileStorage, submissionIdOf } from '../files/file-storage.ts';

/** Number of failed removals after which a clean-up stops, because an unavailable storage answers slowly. */
const FILE_FAILURES_MAX = 3;

/** Completes erasures: removes résumés of erased submissions, and the copies of rows that SQLite leaves in its files. */
@Injectable()
export class ErasureService {
  private readonly log = new Log('Erasure');

  constructor(
    private readonly database: Database,
    private readonly erasures: ErasuresRepository,
    private readonly files: FileStorage,
  ) {}

  /** Removes files and copies of incomplete erasures, as far as possible now. @returns whether all are complete */
  async cleanUp(): Promise<boolean> {
    const incomplete = await this.erasures.incomplete();
    if (incomplete.length === 0) return true;
    let failures = 0;
    for (const { id, fileKey } of incomplete)
      if (fileKey !== null && failures < FILE_FAILURES_MAX && !(await this.removeFile(id, fileKey))) failures++;
    const cause = await this.database.removeCopies();
    if (cause === undefined) await this.erasures.complete(incomplete.map(({ id }) => id));
    else this.log.warn({ event: 'copies of erased rows may remain', count: incomplete.length, cause });
    return failures === 0 && cause === undefined;
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
