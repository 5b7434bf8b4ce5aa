import { Global, Module, type OnApplicationBootstrap, type OnApplicationShutdown, type Provider } from '@nestjs/common';
import { SETTINGS, type Settings } from './settings/settings.ts';
import { Database } from './database/database.ts';
import { Log } from './observability/log.ts';
import { Installation } from './submissions/installation.service.ts';
import { openFileStorage, FileStorage } from './files/file-storage.ts';
import { StorageHealth } from './health/storage-health.service.ts';
import { SubmissionSearchRepository } from './submissions/submission-search.repository.ts';
import { SubmissionsRepository } from './submissions/submissions.repository.ts';

const log = new Log('Database');

const openDatabase = ({ DATABASE_URL }: Settings) =>
  Database.open(DATABASE_URL, ({ message }) => log.error({ event: 'database unavailable', cause: message }));

const stores: Provider[] = [
  SubmissionsRepository,
  SubmissionSearchRepository,
  Installation,
  StorageHealth,
  { provide: Database, useFactory: openDatabase, inject: [SETTINGS] },
  { provide: FileStorage, useFactory: openFileStorage, inject: [SETTINGS] },
];

/** Storage of submissions that api and worker share: rows in the database, and files. */
@Global()
@Module({ providers: stores, exports: stores })
export class StorageModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly database: Database,
    private readonly files: FileStorage,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.files.removeStaleUploads();
  }

  /** Nest calls this after everything that uses the database has stopped. */
  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
  }
}
