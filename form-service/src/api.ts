import 'reflect-metadata';
import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ApiModule } from './api.module.ts';
import { configureHttpServer } from './intake/http-server.ts';
import { PinoLogger } from './observability/pino-logger.ts';
import { SETTINGS, SettingsError, type Settings } from './config/settings.ts';

// What this process writes is for its own user alone.
process.umask(0o077);

async function start(): Promise<void> {
  const app = await NestFactory.create<NestExpressApplication>(ApiModule, {
    bodyParser: false,
    abortOnError: false,
    logger: new PinoLogger(),
  });
  configureHttpServer(app);
  app.enableShutdownHooks();
  const settings = app.get<Settings>(SETTINGS);
  await app.listen(settings.API_PORT, settings.API_HOST);
  new Logger('Api').log({ event: 'listening', url: await app.getUrl() });
}

start().catch((error: unknown) => {
  process.stderr.write(`${error instanceof SettingsError ? error.message : (error as Error).stack}\n`);
  process.exitCode = 1;
  process.exit();
});
