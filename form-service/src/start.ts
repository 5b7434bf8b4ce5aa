import 'reflect-metadata';
import { isIP } from 'node:net';
import { type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SETTINGS, SettingsError, type Settings } from './config/settings.ts';
import { readAllWords } from './contract/forms.ts';
import { ContentError } from './contract/word-mistakes.ts';
import { replacedWords } from './contract/words.ts';
import { configureHttpServer } from './http/http-server.ts';
import { Log } from './observability/log.ts';
import { PinoLogger } from './observability/pino-logger.ts';

/**
 * Starts a process and listens. Invalid settings are printed and end the process.
 *
 * @param name setting with its URL
 */
export async function start(module: Type, name: 'API_URL' | 'WORKER_URL') {
  // Only the user of the process can read the files that it writes.
  process.umask(0o077);
  try {
    readAllWords();
    const options = { bodyParser: false, abortOnError: false, logger: new PinoLogger() };
    const app = await NestFactory.create<NestExpressApplication>(module, options);
    if (replacedWords.length > 0) new Log(module.name).warn({ event: 'content is incomplete', reason: replacedWords });
    configureHttpServer(app);
    // A timer of BullMQ would keep the process alive after its end.
    app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
    const { hostname, port } = new URL(app.get<Settings>(SETTINGS)[name]);
    const host = hostname.replace(/^\[|\]$/g, '');
    // Names of containers are addresses in their network.
    await app.listen(port || 80, isIP(host) !== 0 || host === 'localhost' ? host : '0.0.0.0');
    const log = new Log(module.name);
    log.log({ event: 'listening', url: await app.getUrl() });
  } catch (error) {
    const isMistake = error instanceof SettingsError || error instanceof ContentError;
    process.stderr.write(`${isMistake ? error.message : (error as Error).stack}\n`);
    process.exitCode = 1;
    process.exit();
  }
}
