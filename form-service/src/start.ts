import 'reflect-metadata';
import type { Server } from 'node:http';
import { isIP } from 'node:net';
import { type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SETTINGS, SettingsError, type Settings } from './settings/settings.ts';
import { readAllWords } from './contract/forms.ts';
import { ContentError } from './contract/word-mistakes.ts';
import { replacedWords } from './contract/words.ts';
import { Log } from './observability/log.ts';
import { PinoLogger } from './observability/pino-logger.ts';

/** Time limit for the head of a request. */
const HEADERS_TIMEOUT_MS = 10_000;

/**
 * Time limit for a whole request: a résumé of 10 MiB at 12 kB/s, the speed of a phone with a weak signal. nginx ends
 * silent clients long before.
 */
const REQUEST_TIMEOUT_MS = 15 * 60_000;

/** Longer than nginx keeps idle connections, so that nginx closes them and never reuses one that is closed here. */
const KEEP_ALIVE_MS = 75_000;

/** Pause between two looks for connections that have become idle in a shutdown. */
const SWEEP_MS = 100;

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

/**
 * Configures trust in the proxy, timeouts and response headers. In a shutdown, active requests are answered; then their
 * connections end, which otherwise would delay the end of the process by {@link KEEP_ALIVE_MS}.
 */
export function configureHttpServer(app: NestExpressApplication): void {
  // Trusts one hop: nginx appends the client's address, so only the last one in X-Forwarded-For is not forged.
  app.set('trust proxy', 1).disable('x-powered-by').disable('etag');
  const server = app.getHttpServer() as Server;
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const sweep = setInterval(() => server.listening || server.closeIdleConnections(), SWEEP_MS).unref();
  server.once('close', () => clearInterval(sweep));
}
