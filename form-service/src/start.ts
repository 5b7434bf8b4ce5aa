import 'reflect-metadata';
import { Logger, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SETTINGS, SettingsError, type Settings } from './config/settings.ts';
import { PinoLogger } from './observability/pino-logger.ts';

/** Starts a process of this module and has it listen. Wrong settings end it at once, and it says which they are. */
export async function start(
  module: Type,
  listen: (app: NestExpressApplication, settings: Settings) => Promise<unknown>,
): Promise<void> {
  // What the process writes is for its own user alone.
  process.umask(0o077);
  try {
    const options = { bodyParser: false, abortOnError: false, logger: new PinoLogger() };
    const app = await NestFactory.create<NestExpressApplication>(module, options);
    await listen(app, app.get<Settings>(SETTINGS));
    new Logger(module.name).log({ event: 'listening', url: await app.getUrl() });
  } catch (error) {
    process.stderr.write(`${error instanceof SettingsError ? error.message : (error as Error).stack}\n`);
    process.exitCode = 1;
    process.exit();
  }
}
