import 'reflect-metadata';
import type { Server } from 'node:http';
import { ConsoleLogger, Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ApiModule } from './api.module.ts';
import { SETTINGS, SettingsError, type Settings } from './config/env.ts';

/** A client that is slower than this with its head, or with the whole request, is cut off; in milliseconds. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 120_000;

/** Longer than nginx keeps its idle connections, so that it is never nginx that finds one closed; in milliseconds. */
const KEEP_ALIVE_MS = 75_000;

async function start(): Promise<void> {
  const app = await NestFactory.create<NestExpressApplication>(ApiModule, {
    bodyParser: false,
    abortOnError: false,
    logger: new ConsoleLogger({ json: true, colors: false, logLevels: ['log', 'warn', 'error', 'fatal'] }),
  });
  // One hop: nginx appends the client's address as the last one, whatever the client claimed before.
  app.set('trust proxy', 1).disable('x-powered-by').disable('etag');
  app.enableShutdownHooks();
  const settings = app.get<Settings>(SETTINGS);
  Object.assign(app.getHttpServer() as Server, {
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
  await app.listen(settings.API_PORT, settings.API_HOST);
  new Logger('Api').log({ event: 'listening', url: await app.getUrl() });
}

start().catch((error: unknown) => {
  process.stderr.write(`${error instanceof SettingsError ? error.message : (error as Error).stack}\n`);
  process.exitCode = 1;
  process.exit();
});
