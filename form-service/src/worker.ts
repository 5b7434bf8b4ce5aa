import 'reflect-metadata';
import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { PinoLogger } from './observability/pino-logger.ts';
import { SETTINGS, SettingsError, type Settings } from './config/settings.ts';
import { WorkerModule } from './worker.module.ts';

// What this process writes is for its own user alone.
process.umask(0o077);

async function start(): Promise<void> {
  const app = await NestFactory.create(WorkerModule, {
    abortOnError: false,
    logger: new PinoLogger(),
  });
  app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
  const settings = app.get<Settings>(SETTINGS);
  await app.listen(settings.WORKER_PORT, settings.WORKER_HOST);
  new Logger('Worker').log({ event: 'listening', url: await app.getUrl() });
}

start().catch((error: unknown) => {
  process.stderr.write(`${error instanceof SettingsError ? error.message : (error as Error).stack}\n`);
  process.exitCode = 1;
  process.exit();
});
