import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import type { Disk } from './disk.ts';
import type { FolderLayout } from './folder-layout.ts';
import type { Holder } from './holder.ts';
import { erasedLine, readJournal } from './journal-entry.ts';
import type { Journal } from './journal.ts';
import type { RecordFolders } from './record-folders.ts';
import { DamagedRecordError, NewerRecordError, readRecord } from './submission-record.ts';

/** An upload takes minutes at most; an hour after its last byte nobody is writing it, in milliseconds. */
const DRAFT_LIFE_MS = 3_600_000;

/** A living process leaves a journal file after a minute, in milliseconds. */
const JOURNAL_LIFE_MS = 180_000;

/** Takes up what dead processes left: replays their journals, removes their uploads and half-written records. */
export class CrashRecovery {
  private readonly log = new Logger('CrashRecovery');

  constructor(
    private readonly disk: Disk,
    private readonly layout: FolderLayout,
    private readonly holder: Holder,
    private readonly records: RecordFolders,
    private readonly journal: Journal,
  ) {}

  async removeDrafts(): Promise<void> {
    for (const path of await this.abandoned(this.layout.incoming, DRAFT_LIFE_MS)) await this.disk.unlink(path);
  }

  /** Replaying twice, or while another process does, does nothing more: a record that is anywhere is left alone. */
  async replayJournals(): Promise<void> {
    for (const path of await this.abandoned(this.layout.journal, JOURNAL_LIFE_MS)) {
      const text = await this.disk.read(path);
      if (text === undefined) continue;
      const paths = await this.replay(text);
      if (paths) this.journal.adopt(path, paths);
    }
  }

  /** Notes in every journal that a submission is not to come back. */
  async markErased(id: string): Promise<void> {
    for (const name of await readdir(this.layout.journal)) await this.disk.append(join(this.layout.journal, name), erasedLine(id));
  }

  /** Paths that the records arrived at, where they may not be durable yet; undefined where a later version is needed too. */
  private async replay(text: string): Promise<string[] | undefined> {
    const entries = readJournal(text);
    const erased = new Set(entries.map((entry) => ('erased' in entry ? entry.erased : undefined)));
    const paths: string[] = [];
    let isWhole = true;
    for (const entry of entries) {
      if ('erased' in entry) continue;
      try {
        const submission = readRecord(undefined, JSON.stringify(entry.submission));
        if (erased.has(submission.id)) continue;
        await this.records.restore(submission, entry.state);
        paths.push(this.layout.record(entry.state, submission.id));
      } catch (error) {
        if (!(error instanceof DamagedRecordError)) throw error;
        if (error instanceof NewerRecordError) isWhole = false;
        else this.log.error({ event: 'damaged journal entry', why: error.message });
      }
    }
    return isWhole ? paths : undefined;
  }

  /** Files whose writer is known to be dead or, on another machine, has not written for long. */
  private async abandoned(folder: string, lifeMs: number): Promise<string[]> {
    const paths: string[] = [];
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      const holderName = name.slice(0, name.lastIndexOf('~'));
      if (this.holder.knowsDead(holderName) || (holderName !== this.holder.name && (await ageOf(path)) > lifeMs)) paths.push(path);
    }
    return paths;
  }
}

/** Milliseconds since a file was last written; 0 when it is gone. */
async function ageOf(path: string): Promise<number> {
  return stat(path).then(
    (found) => Date.now() - found.mtimeMs,
    () => 0,
  );
}
