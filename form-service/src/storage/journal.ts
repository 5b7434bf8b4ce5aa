import { constants, fstatSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Logger } from '@nestjs/common';
import { unavailable, type Disk } from './disk.ts';
import { GroupCommit } from './group-commit.ts';
import { acceptedLine, type AcceptState } from './journal-entry.ts';

/** A journal file takes entries for this long, or until it is this large. */
const OPEN_MS = 20_000;
const OPEN_BYTES = 8 * 1024 * 1024;

/**
 * After this the kernel has written the records back by itself (it does so within 30 s), and settling costs little; in
 * milliseconds.
 */
const SETTLE_AFTER_MS = 40_000;
const CHECK_MS = 5_000;

/** Records that are settled while a shutdown waits. */
const SETTLE_ON_CLOSE_MAX = 200;

/** Each write is on the disk when it returns (O_DSYNC), which saves the turns of the thread pool that an fdatasync takes. */
const DURABLE_APPEND = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_APPEND | constants.O_DSYNC;

interface JournalFile {
  readonly path: string;
  readonly handle: FileHandle;
  readonly openedAt: number;
  readonly paths: string[];
  bytes: number;
}

interface SealedFile {
  readonly path: string;
  readonly sealedAt: number;
  readonly paths: readonly string[];
}

/**
 * Makes records durable together: one durable write for all that arrive at once, where each record's own file
 * would need two. A journal file is dropped when its records' own files are durable; one that a crash left is replayed.
 */
export class Journal {
  private readonly log = new Logger('Journal');
  private readonly commit = new GroupCommit(() => this.flush());
  private readonly timer: NodeJS.Timeout;
  private lines: string[] = [];
  private paths: string[] = [];
  private current: JournalFile | undefined;
  private sealed: SealedFile[] = [];
  private settling: Promise<void> = Promise.resolve();
  private count = 0;

  constructor(
    private readonly disk: Disk,
    private readonly folder: string,
    private readonly holderName: string,
  ) {
    this.timer = setInterval(() => void this.check(), CHECK_MS).unref();
  }

  /**
   * Durable when it resolves.
   *
   * @param record the submission as JSON
   * @param path the record's own file, there already and not durable yet
   * @throws StorageUnavailableError
   */
  append(state: AcceptState, record: string, path: string): Promise<void> {
    this.lines.push(acceptedLine(state, record));
    this.paths.push(path);
    return this.commit.request();
  }

  /** Takes over a file whose writer is dead, to drop it when its records are durable. */
  adopt(path: string, paths: readonly string[]): void {
    if (!this.sealed.some((file) => file.path === path)) this.sealed.push({ path, paths, sealedAt: performance.now() });
  }

  /** Drops the journal if that is quick; what stays is replayed by the next start. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.commit.idle();
    await this.seal();
    const count = this.sealed.reduce((sum, { paths }) => sum + paths.length, 0);
    await (count <= SETTLE_ON_CLOSE_MAX ? this.settle(Number.POSITIVE_INFINITY) : this.settling);
  }

  /** Also where a file is sealed that took entries for long enough, so that nothing writes to it meanwhile. */
  private async flush(): Promise<void> {
    const text = this.lines.join('');
    const paths = this.paths;
    this.lines = [];
    this.paths = [];
    if (this.isFull()) await this.seal();
    if (text === '') return;
    const file = (this.current ??= await this.create());
    // Others add erasures to it. Synchronous, like every look at what the kernel has at hand.
    const { size } = fstatSync(file.handle.fd);
    try {
      await file.handle.appendFile(text);
      file.bytes = size + Buffer.byteLength(text);
      file.paths.push(...paths);
    } catch (error) {
      // Nobody is promised these entries, so a replay must not find them; what follows goes to another file.
      await file.handle.truncate(size).catch(() => undefined);
      await this.seal();
      throw unavailable(error);
    }
  }

  private isFull(): boolean {
    const { current } = this;
    return current !== undefined && (performance.now() - current.openedAt > OPEN_MS || current.bytes > OPEN_BYTES);
  }

  private async create(): Promise<JournalFile> {
    const path = join(this.folder, `${this.holderName}~${++this.count}`);
    let handle: FileHandle | undefined;
    try {
      handle = await open(path, DURABLE_APPEND, 0o600);
      await this.disk.syncFolder(this.folder);
      return { path, handle, openedAt: performance.now(), paths: [], bytes: 0 };
    } catch (error) {
      await handle?.close();
      throw unavailable(error);
    }
  }

  private async seal(): Promise<void> {
    const { current } = this;
    if (!current) return;
    this.current = undefined;
    this.sealed.push({ path: current.path, paths: current.paths, sealedAt: performance.now() });
    await current.handle.close();
  }

  private async check(): Promise<void> {
    if (this.isFull()) await this.commit.request().catch(() => undefined);
    await this.settle(performance.now() - SETTLE_AFTER_MS);
  }

  private settle(sealedBefore: number): Promise<void> {
    this.settling = this.settling.then(async () => {
      for (const file of this.sealed.filter(({ sealedAt }) => sealedAt < sealedBefore)) {
        try {
          await this.syncRecords(file.paths);
          await this.disk.unlink(file.path);
          this.sealed = this.sealed.filter((other) => other !== file);
        } catch (error) {
          this.log.error({ event: 'journal not settled', error: (error as Error).name });
        }
      }
    });
    return this.settling;
  }

  /** A record that has moved on was made durable by its move. */
  private async syncRecords(paths: readonly string[]): Promise<void> {
    for (const path of paths) await this.disk.syncFile(path);
    for (const folder of new Set(paths.map((path) => dirname(path)))) await this.disk.syncFolder(folder);
  }
}
