import 'reflect-metadata';
import { ConsoleLogger, Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ApiModule } from './api.module.ts';
import { configureHttpServer } from './submissions/http/http-server.ts';
import { SETTINGS, SettingsError, type Settings } from './config/env.ts';

async function start(): Promise<void> {
  const app = await NestFactory.create<NestExpressApplication>(ApiModule, {
    bodyParser: false,
    abortOnError: false,
    logger: new ConsoleLogger({ json: true, colors: false, logLevels: ['log', 'warn', 'error', 'fatal'] }),
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
