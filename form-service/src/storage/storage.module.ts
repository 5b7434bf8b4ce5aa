import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/env.ts';
import { openStore } from './open-store.ts';
import { SubmissionStore } from './submission-store.ts';

/** The one {@link SubmissionStore} of a process; closed when all that use it have ended. */
@Global()
@Module({
  providers: [{ provide: SubmissionStore, useFactory: (settings: Settings) => openStore(settings), inject: [SETTINGS] }],
  exports: [SubmissionStore],
})
export class StorageModule implements OnApplicationShutdown {
  constructor(@Inject(SubmissionStore) private readonly store: SubmissionStore) {}

  async onApplicationShutdown(): Promise<void> {
    await this.store.close();
  }
}
