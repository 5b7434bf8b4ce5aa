import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Database } from '../database/database.ts';
import { lastBackupAt } from '../database/properties.ts';
import { Installation } from '../submissions/installation.service.ts';
import { ResumeFiles } from '../submissions/resume-files.ts';
import { HealthService } from './health.service.ts';

/** With less free space than this no file is accepted: it would fail half way, and the rest is kept for enquiries. */
const FREE_BYTES_MIN = 32 * 1024 * 1024;

const INTERVAL_MS = 5_000;

const freeSpace = new Gauge({ name: 'kitewright_storage_free_bytes', help: 'Free space for submissions' });
const backupTime = new Gauge({
  name: 'kitewright_backup_last_success_timestamp_seconds',
  help: 'When the latest backup was made, in Unix time; no number before the first one',
});

/**
 * Checks regularly whether submissions can be stored: whether the database can be written, belongs to the files, and the
 * disk has room. It writes nothing.
 */
@Injectable()
export class StorageHealth implements OnApplicationBootstrap, OnModuleDestroy {
  /** Free bytes at the latest check; undefined where the storage has no such limit. */
  freeBytes: number | undefined;
  /** The reason why nothing can be stored, at the latest check. */
  cause: string | undefined;
  private isConfirmed = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly files: ResumeFiles,
    private readonly installation: Installation,
    health: HealthService,
  ) {
    health.register('storage', () =>
      this.cause === undefined ? { status: 'ok' } : { status: 'down', cause: this.cause },
    );
  }

  get hasRoom(): boolean {
    return this.freeBytes === undefined || this.freeBytes >= FREE_BYTES_MIN;
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.check();
    this.timer = setInterval(() => void this.check(), INTERVAL_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  async check(): Promise<void> {
    let backupAt: Date | undefined;
    try {
      this.freeBytes = await this.leastFreeBytes();
      await this.database.check();
      this.isConfirmed ||= await this.installation.isConfirmed();
      backupAt = await lastBackupAt(this.database);
      this.cause = this.hasRoom ? undefined : `only ${this.freeBytes} bytes free`;
    } catch (error) {
      this.cause = (error as Error).message;
    }
    freeSpace.set(this.freeBytes ?? Number.NaN);
    backupTime.set(backupAt ? backupAt.getTime() / 1_000 : Number.NaN);
  }

  /** The free bytes of the disks that hold the database and the files, as far as they are on this machine. */
  private async leastFreeBytes(): Promise<number | undefined> {
    const ofFiles = await this.files.freeBytes();
    if (this.database.file === undefined) return ofFiles;
    const { bavail, bsize } = await statfs(dirname(this.database.file));
    return Math.min(ofFiles ?? Infinity, bavail * bsize);
  }
}
