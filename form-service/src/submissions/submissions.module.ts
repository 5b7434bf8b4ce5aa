import { Global, Module, type OnApplicationBootstrap, type OnApplicationShutdown, type Provider } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { Database } from '../database/database.ts';
import { Log } from '../observability/log.ts';
import { BacklogRepository } from './backlog.repository.ts';
import { ErasureService } from './erasure.service.ts';
import { ErasuresRepository } from './erasures.repository.ts';
import { HandlingRepository } from './handling.repository.ts';
import { HoldsRepository } from './holds.repository.ts';
import { Installation } from './installation.service.ts';
import { openResumeFiles, ResumeFiles } from './resume-files.ts';
import { StorageHealth } from './storage.health.ts';
import { SubmissionListsRepository } from './submission-lists.repository.ts';
import { SubmissionsRepository } from './submissions.repository.ts';

const log = new Log('Database');

const openDatabase = ({ DATABASE_URL }: Settings) =>
  Database.open(DATABASE_URL, ({ message }) => log.error({ event: 'database unavailable', cause: message }));

const stores: Provider[] = [
  SubmissionsRepository,
  SubmissionListsRepository,
  BacklogRepository,
  HandlingRepository,
  HoldsRepository,
  ErasuresRepository,
  ErasureService,
  Installation,
  StorageHealth,
  { provide: Database, useFactory: openDatabase, inject: [SETTINGS] },
  { provide: ResumeFiles, useFactory: openResumeFiles, inject: [SETTINGS] },
];

/** Storage of submissions: rows in the database, and résumés in files. */
@Global()
@Module({ providers: stores, exports: stores })
export class SubmissionsModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly database: Database,
    private readonly files: ResumeFiles,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.files.removeUploadsOfDeadProcesses();
  }

  /** Nest calls this after everything that uses the database has stopped. */
  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
  }
}
