import { Global, Module } from '@nestjs/common';
import { readSettings, SETTINGS } from './settings.ts';

/** The settings of a process, read once at boot. */
@Global()
@Module({
  providers: [{ provide: SETTINGS, useFactory: () => readSettings() }],
  exports: [SETTINGS],
})
export class ConfigModule {}
