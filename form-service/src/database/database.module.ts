import { Global, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { Database } from './database.ts';

const log = new Logger('Database');

/** Provides the one database connection of a process, which is closed after everything that uses it. */
@Global()
@Module({
  providers: [
    {
      provide: Database,
      useFactory: (settings: Settings) =>
        Database.open(settings.DATABASE_URL, ({ message }) =>
          log.error({ event: 'database unavailable', cause: message }),
        ),
      inject: [SETTINGS],
    },
  ],
  exports: [Database],
})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(private readonly database: Database) {}

  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
  }
}
