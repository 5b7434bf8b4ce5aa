import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Programs } from '../scripts/stack/programs.ts';
import { CONTACT_BODY } from './contact-body.ts';
import { withApi, withBackends, withWorker, type ServiceEnvironment } from './form-service.ts';
import { MailSink } from './mail-sink.ts';
import { median } from './median.ts';
import { atPace, percentile, Poster } from './paced-load.ts';
import { atLeast, below, compared, type Result } from './result.ts';

const PACE_PER_SECOND = 50;
const PACE_SECONDS = 10;
const BACKLOG = 2_000;
const BACKLOG_CONNECTIONS = 32;
const ROUNDS = 3;
/** Part of a backlog's messages, at its start and end, that does not count: connections are opened there. */
const EDGE = 0.1;
const PATIENCE_MS = 120_000;

/** From the answer to the visitor to the mail server's, at a steady pace; and how fast a backlog goes out, against nodemailer alone. */
export async function benchDelivery(programs: Programs): Promise<Result[]> {
  const paced = await withSink((sink) =>
    withBackends(programs, (env) => latencies({ ...env, SMTP_URL: sink.url }, sink)),
  );
  const worker: number[] = [];
  const bare: number[] = [];
  const bareWithoutDelay: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    worker.push(
      await withSink((sink) => withBackends(programs, (env) => workerRate({ ...env, SMTP_URL: sink.url }, sink))),
    );
    bare.push(await withSink((sink) => bareRate(sink)));
    bareWithoutDelay.push(await withSink((sink) => bareRate(sink, 'no-delay')));
  }
  return [
    below(
      `accepted to received mail, p50 at ${PACE_PER_SECOND} requests/s`,
      'ms',
      percentile(paced, 0.5),
      undefined,
      30,
    ),
    below(
      `accepted to received mail, p99 at ${PACE_PER_SECOND} requests/s`,
      'ms',
      percentile(paced, 0.99),
      undefined,
      250,
    ),
    atLeast(
      'mails of the worker with a backlog, against nodemailer alone in a loop',
      'mails/s',
      median(worker),
      median(bare),
      0.9,
    ),
    compared(
      "the same, with Nagle's algorithm off for nodemailer too",
      'mails/s',
      median(worker),
      median(bareWithoutDelay),
    ),
  ];
}

async function latencies(env: ServiceEnvironment, sink: MailSink): Promise<number[]> {
  return withWorker(env, () => acceptedToMail(env, sink));
}

/** Milliseconds from the answer to the visitor to the mail server's, sorted; at a steady pace, while a worker runs. */
export async function acceptedToMail(env: ServiceEnvironment, sink: MailSink): Promise<number[]> {
  return withApi(env, async (api) => {
    const acceptedAt = new Map<string, number>();
    const poster = new Poster(`${api}/api/contact`);
    await atPace(PACE_PER_SECOND, PACE_SECONDS, async () =>
      acceptedAt.set(referenceIn(await poster.post(CONTACT_BODY)), performance.now()),
    );
    poster.close();
    await sink.waitFor(acceptedAt.size, PATIENCE_MS);
    return [...acceptedAt]
      .map(([reference, accepted]) => (sink.takenAt.get(reference) ?? Infinity) - accepted)
      .toSorted((a, b) => a - b);
  });
}

/** Mails a second once everything runs. The backlog is made before the worker starts, and the api is gone by then. */
async function workerRate(env: ServiceEnvironment, sink: MailSink): Promise<number> {
  await withApi(env, async (api) => {
    const poster = new Poster(`${api}/api/contact`);
    const share = Math.ceil(BACKLOG / BACKLOG_CONNECTIONS);
    const sendShare = async () => {
      for (let index = 0; index < share; index += 1) await poster.post(CONTACT_BODY);
    };
    await Promise.all(Array.from({ length: BACKLOG_CONNECTIONS }, sendShare));
    poster.close();
  });
  await withWorker(env, () => sink.waitFor(BACKLOG, PATIENCE_MS));
  return rateOf(sink);
}

async function bareRate(sink: MailSink, ...flags: readonly string[]): Promise<number> {
  await promisify(execFile)(process.execPath, ['bench/bare-mailer.mjs', sink.url, String(BACKLOG), ...flags]);
  return rateOf(sink);
}

function rateOf({ takenAt }: MailSink): number {
  const times = [...takenAt.values()].slice(0, BACKLOG).toSorted((a, b) => a - b);
  const seconds = (percentile(times, 1 - EDGE) - percentile(times, EDGE)) / 1000;
  return (BACKLOG * (1 - 2 * EDGE)) / seconds;
}

async function withSink<Value>(action: (sink: MailSink) => Promise<Value>): Promise<Value> {
  const sink = await MailSink.start();
  try {
    return await action(sink);
  } finally {
    await sink.stop();
  }
}

function referenceIn(answer: string): string {
  return (JSON.parse(answer) as { reference: string }).reference;
}
