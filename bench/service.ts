import { execa } from 'execa';
import { simpleParser } from 'mailparser';
import { ScriptedMailServer } from '../form-service/test/scripted-mail-server.ts';
import { until } from '../form-service/test/until.ts';
import { postAtPace, postEnquiries } from './enquiries.ts';
import { withApi, withBackends, withBareExpress, withWorker, type Environment } from './processes.ts';

const ROUNDS = 3;
const BACKLOG = 1_000;
const PACE_PER_SECOND = 50;
const PACE_SECONDS = 10;
/** Share of a backlog's messages at each end that is not counted, because the processes start and end there. */
const EDGE = 0.1;
const REFERENCE = /KW(?:-[0-9A-Z]{4}){4}/;

/** Row of the results: a figure of ours, and of the program that does the least. */
type Row = Readonly<Record<'what' | 'measured' | 'baseline' | 'ratio', string>>;

/** Returns the value below which a share of the values lies. */
const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? Number.NaN;
export const median = (values: readonly number[]): number => quantile(values, 0.5);

const row = (what: string, unit: string, ours: number, theirs?: number): Row => ({
  what,
  measured: `${ours.toPrecision(4)} ${unit}`,
  baseline: theirs === undefined ? '' : `${theirs.toPrecision(4)} ${unit}`,
  ratio: theirs === undefined ? '' : (ours / theirs).toFixed(2),
});

/** Compares the form service with bare Express and bare nodemailer, in alternating rounds on the same machine. */
export async function measureService(): Promise<Row[]> {
  const [posts, bare] = await intake();
  const delays = await withMailServer((env, arrivals) => acceptedToMail(env, arrivals));
  const [worker, nodemailer]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { rate, message } = await withMailServer(backlog);
    worker.push(rate);
    nodemailer.push(await withMailServer((env, arrivals) => sendBare(env, message, arrivals)));
  }
  return [
    row('POST /api/contact against bare Express 5 + BullMQ add', 'requests/s', median(posts), median(bare)),
    row(`accepted to received mail, p50 at ${PACE_PER_SECOND} requests/s`, 'ms', median(delays)),
    row(`accepted to received mail, p99 at ${PACE_PER_SECOND} requests/s`, 'ms', quantile(delays, 0.99)),
    row('mails of a worker with a backlog against nodemailer', 'mails/s', median(worker), median(nodemailer)),
  ];
}

/** Rates of the api, which validates, stores with fsync and enqueues, and of a handler that only adds the same job. */
function intake(): Promise<[ours: number[], bare: number[]]> {
  return withBackends((env) =>
    withApi(env, (api) =>
      withBareExpress(env, async (bare) => {
        const rates: [number[], number[]] = [[], []];
        for (let round = 0; round < ROUNDS; round += 1)
          for (const [index, origin] of [api, bare].entries()) rates[index]?.push(await postEnquiries(origin));
        return rates;
      }),
    ),
  );
}

/** A message that the mail server has received. */
interface Arrival {
  readonly message: Buffer;
  readonly at: number;
}

/** Returns the milliseconds between each 202 and the received mail, at a steady pace with one worker. */
function acceptedToMail(env: Environment, arrivals: readonly Arrival[]): Promise<number[]> {
  const acceptedAt = new Map<string, number>();
  const noteAnswer = (body: string) => void acceptedAt.set(REFERENCE.exec(body)?.[0] ?? '', performance.now());
  return withWorker(env, () =>
    withApi(env, async (api) => {
      await postAtPace(api, PACE_PER_SECOND, PACE_SECONDS, noteAnswer);
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
async function sendBare(env: Environment, example: Buffer, arrivals: readonly Arrival[]): Promise<number> {
  const { from, to, replyTo, subject, text, html } = await simpleParser(example);
  const header = { from: from?.value[0], to: [to].flat()[0]?.value[0], replyTo: replyTo?.value[0] };
  const MESSAGE = JSON.stringify({ ...header, subject, text, html });
  const own = { SMTP_URL: env.SMTP_URL ?? '', COUNT: String(BACKLOG), MESSAGE };
  await execa(process.execPath, ['bench/bare-nodemailer.mjs'], { env: own, extendEnv: false });
  return rateOf(arrivals);
}

/** Mails per second, without the start and the end. */
function rateOf(arrivals: readonly Arrival[]): number {
  const times = arrivals.slice(0, BACKLOG).map(({ at }) => at);
  return (BACKLOG * (1 - 2 * EDGE)) / ((quantile(times, 1 - EDGE) - quantile(times, EDGE)) / 1_000);
}

/** Runs Redis, an empty database, and a mail server that accepts every message immediately, while `action` runs. */
async function withMailServer<Value>(
  action: (env: Environment, arrivals: readonly Arrival[]) => Promise<Value>,
): Promise<Value> {
  const arrivals: Arrival[] = [];
  // A server of a library delays its greeting, which every message would wait for.
  const server = await ScriptedMailServer.start({
    dot: (socket) => {
      arrivals.push({ message: Buffer.from(server.messages.at(-1) ?? ''), at: performance.now() });
      socket.write('250 2.0.0 taken\r\n');
    },
  });
  try {
    return await withBackends((env) => action({ ...env, SMTP_URL: server.url }, arrivals));
  } finally {
    await server.stop();
  }
}
