import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Database } from '../database/database.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { ForeignFilesError, Installation } from '../submissions/installation.service.ts';
import { FREE_BYTES_MIN, FileStorage } from '../files/file-storage.ts';
import { freeBytesOf } from '../files/folder-store.ts';
import type { Task } from '../outbox/task-runner.ts';

const freeSpace = new Gauge({ name: 'kitewright_storage_free_bytes', help: 'Free space for submissions' });

/** Checks regularly whether the database can be written, belongs to the files, and the disk has room. */
@Injectable()
export class StorageHealth implements OnApplicationBootstrap {
  /** A storage that does not respond is reported by the health check, so the task never counts as stalled. */
  readonly task: Task = {
    name: 'storage',
    everyMs: 5_000,
    stalledAfterMs: Infinity,
    run: () => {
      void this.confirm();
      return this.check();
    },
  };
  /** Time after which a disk or database that does not respond counts as unavailable. */
  answerMs = 10_000;
  /** Free bytes at the latest check; undefined if the storage has no such limit. */
  freeBytes: number | undefined;
  /** Reason why nothing can be stored, as of the latest check. */
  cause: string | undefined;
  /** Reason why the process has not started yet; undefined from then on. */
  startCause: string | undefined = 'not checked yet';
  private checking: Promise<void> | undefined;
  private confirming: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly files: FileStorage,
    private readonly installation: Installation,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.check();
    await this.confirm();
  }

  /** Checks once. Overlapping calls share one check, so that checks do not pile up. */
  check(): Promise<void> {
    return (this.checking ??= this.checkOnce().finally(() => (this.checking = undefined)));
  }

  private async checkOnce(): Promise<void> {
    let part = 'disk';
    const late = () => (this.cause = `${part}: no answer for ${this.answerMs / 1_000} s`);
    const timer = setTimeout(late, this.answerMs).unref();
    try {
      this.freeBytes = await this.leastFreeBytes();
      part = 'DATABASE_URL';
      timer.refresh();
      await this.database.check();
      this.cause =
        (this.freeBytes ?? Infinity) >= FREE_BYTES_MIN ? undefined : `only ${this.freeBytes} bytes free (df -h, df -i)`;
    } catch (error) {
      this.cause = (error as Error).message;
    } finally {
      clearTimeout(timer);
    }
    freeSpace.set(this.freeBytes ?? Number.NaN);
  }

  /**
   * Confirms once that the database is migrated, belongs to the files and can be written. A slow object store delays only
   * this, not the checks.
   */
  confirm(): Promise<void> {
    const confirming = async () => {
      await this.installation.confirm();
      await this.database.check();
      this.startCause = undefined;
    };
    this.confirming ??= confirming().catch((error: Error) => {
      this.startCause = error instanceof StorageUnavailableError ? error.message : error.name;
      // From now on the database rejects every use with this reason.
      if (error instanceof ForeignFilesError) this.cause = error.message;
      else this.confirming = undefined;
    });
    return this.confirming;
  }

  /** Returns the free bytes of the disks of database and files, as far as they are local. */
  private async leastFreeBytes(): Promise<number | undefined> {
    const ofFiles = await this.files.freeBytes();
    if (this.database.file === undefined) return ofFiles;
    return Math.min(ofFiles ?? Infinity, freeBytesOf(await statfs(dirname(this.database.file))));
  }
}
