import { Global, Module } from '@nestjs/common';
import { SETTINGS } from '../config/settings.ts';
import { BacklogRepository } from './backlog.repository.ts';
import { LeasesRepository } from './leases.repository.ts';
import { openResumeFiles, ResumeFiles } from './resume-files.ts';
import { SubmissionsRepository } from './submissions.repository.ts';

/** Stored submissions: rows in the database, and the bytes of résumés in files. */
const REPOSITORIES = [SubmissionsRepository, LeasesRepository, BacklogRepository];

@Global()
@Module({
  providers: [...REPOSITORIES, { provide: ResumeFiles, useFactory: openResumeFiles, inject: [SETTINGS] }],
  exports: [...REPOSITORIES, ResumeFiles],
})
export class SubmissionsModule {}
