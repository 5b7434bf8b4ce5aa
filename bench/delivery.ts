import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { simpleParser } from 'mailparser';
import { median, quantile } from 'simple-statistics';
import { MailServer } from '../form-service/test/mail-server.ts';
import { until } from '../form-service/test/until.ts';
import { postAtPace, postEnquiries } from './load.ts';
import { withApi, withBackends, withWorker, type Environment } from './processes.ts';
import { atLeast, below, type Result } from './result.ts';

const PACE_PER_SECOND = 50;
const PACE_SECONDS = 10;
const BACKLOG = 2_000;
const ROUNDS = 3;
/** Share of a backlog's messages at each end that is not counted, because connections are opened and closed there. */
const EDGE = 0.1;
/** Connections of nodemailer alone: as many as a worker has. */
const CONNECTIONS = 5;
const REFERENCE = /KW(?:-[0-9A-Z]{4}){4}/;

/** A message that the mail server has received. */
interface Arrival {
  readonly message: Buffer;
  readonly at: number;
}

/**
 * Measures the delay between the 202 and the received mail at a steady pace, and the rate at which a worker sends a
 * backlog, compared with nodemailer alone.
 */
export async function benchDelivery(): Promise<Result[]> {
  const withAll = <Value>(action: (env: Environment, arrivals: readonly Arrival[]) => Promise<Value>) =>
    withMailServer((url, arrivals) => withBackends((env) => action({ ...env, SMTP_URL: url }, arrivals)));
  const paced = await withAll(acceptedToMail);
  const [worker, nodemailer]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { rate, message } = await withAll(backlog);
    worker.push(rate);
    nodemailer.push(await withMailServer((url, arrivals) => sendBare(url, message, arrivals)));
  }
  return [
    ...delays(paced),
    atLeast('mails of a worker with a backlog against nodemailer', 'mails/s', median(worker), median(nodemailer), 0.6),
  ];
}

const delays = (sorted: number[]): Result[] => [
  below(`accepted to received mail, p50 at ${PACE_PER_SECOND} requests/s`, 'ms', quantile(sorted, 0.5), 5),
  below(`accepted to received mail, p99 at ${PACE_PER_SECOND} requests/s`, 'ms', quantile(sorted, 0.99), 100),
];

/** Returns the milliseconds between each 202 and the received mail, at a steady pace with one worker. */
function acceptedToMail(env: Environment, arrivals: readonly Arrival[]): Promise<number[]> {
  const acceptedAt = new Map<string, number>();
  const noteAnswer = (body: string) => void acceptedAt.set(REFERENCE.exec(body)?.[0] ?? '', performance.now());
  return withWorker(env, () =>
    withApi(env, async (api) => {
      await postAtPace(api, { perSecond: PACE_PER_SECOND, seconds: PACE_SECONDS }, noteAnswer);
      await until('all mails', () => arrivals.length >= acceptedAt.size);
      const arrivedAt = new Map(
        arrivals.map(({ message, at }) => [REFERENCE.exec(message.toString('latin1'))?.[0], at] as const),
      );
      return [...acceptedAt].map(([reference, at]) => (arrivedAt.get(reference) ?? Infinity) - at);
    }),
  );
}

/** Creates the backlog, stops the api, then starts the worker. Returns one of the messages with the rate. */
async function backlog(env: Environment, arrivals: readonly Arrival[]): Promise<{ rate: number; message: Buffer }> {
  await withApi(env, (api) => postEnquiries(api, BACKLOG));
  await withWorker(env, () => until('all mails', () => arrivals.length >= BACKLOG));
  return { rate: rateOf(arrivals), message: arrivals[0]?.message ?? Buffer.alloc(0) };
}

/** Lets nodemailer alone compose and send a message as often as the backlog is long. Returns the rate. */
async function sendBare(url: string, example: Buffer, arrivals: readonly Arrival[]): Promise<number> {
  const { from, to, replyTo, subject, text, html } = await simpleParser(example);
  const header = { from: from?.value[0], to: [to].flat()[0]?.value[0], replyTo: replyTo?.value[0] };
  const folder = mkdtempSync(join(tmpdir(), 'kitewright-bench-'));
  const file = join(folder, 'message.json');
  writeFileSync(file, JSON.stringify({ ...header, subject, text, html }));
  const env = { SMTP_URL: url, CONNECTIONS: String(CONNECTIONS), COUNT: String(BACKLOG), MESSAGE: file };
  try {
    await promisify(execFile)(process.execPath, ['bench/bare-nodemailer.mjs'], { env });
    return rateOf(arrivals);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Mails per second, without the start and the end. */
function rateOf(arrivals: readonly Arrival[]): number {
  const times = arrivals.slice(0, BACKLOG).map(({ at }) => at);
  return (BACKLOG * (1 - 2 * EDGE)) / ((quantile(times, 1 - EDGE) - quantile(times, EDGE)) / 1000);
}

/** Runs a mail server that accepts every message immediately while `action` runs. */
async function withMailServer<Value>(
  action: (url: string, arrivals: readonly Arrival[]) => Promise<Value>,
): Promise<Value> {
  const arrivals: Arrival[] = [];
  const take = async (stream: Readable, done: () => void) => {
    const message = await buffer(stream);
    arrivals.push({ message, at: performance.now() });
    done();
  };
  const server = await MailServer.start({
    onData: (stream, _session, done) => void take(stream, done),
  });
  try {
    return await action(server.url, arrivals);
  } finally {
    await server.stop();
  }
}
