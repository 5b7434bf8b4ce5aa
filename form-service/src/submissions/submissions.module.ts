import { Global, Logger, Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { Database } from '../database/database.ts';
import { Installation } from './installation.service.ts';
import { openResumeFiles, ResumeFiles } from './resume-files.ts';
import { SubmissionsRepository } from './submissions.repository.ts';

const log = new Logger('Database');

const openDatabase = ({ DATABASE_URL }: Settings) =>
  Database.open(DATABASE_URL, ({ message }) => log.error({ event: 'database unavailable', cause: message }));

/** Stored submissions: rows in the one database connection of a process, and the bytes of résumés in files. */
@Global()
@Module({
  providers: [
    SubmissionsRepository,
    Installation,
    { provide: Database, useFactory: openDatabase, inject: [SETTINGS] },
    { provide: ResumeFiles, useFactory: openResumeFiles, inject: [SETTINGS] },
  ],
  exports: [SubmissionsRepository, Installation, Database, ResumeFiles],
})
export class SubmissionsModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly database: Database,
    private readonly files: ResumeFiles,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.files.removeUploadsOfTheDead();
  }

  /** Everything that uses the database has ended by then. */
  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
  }
}
