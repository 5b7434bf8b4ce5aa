import { Global, Module } from '@nestjs/common';
import { SETTINGS } from '../config/settings.ts';
import { Installation } from './installation.service.ts';
import { openResumeFiles, ResumeFiles } from './resume-files.ts';
import { SubmissionsRepository } from './submissions.repository.ts';

/** Stored submissions: rows in the database, and the bytes of résumés in files. */
@Global()
@Module({
  providers: [
    SubmissionsRepository,
    Installation,
    { provide: ResumeFiles, useFactory: openResumeFiles, inject: [SETTINGS] },
  ],
  exports: [SubmissionsRepository, Installation, ResumeFiles],
})
export class SubmissionsModule {}
