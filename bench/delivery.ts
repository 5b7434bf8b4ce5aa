import { median, quantile } from 'simple-statistics';
import { MailServer } from '../form-service/test/mail-server.ts';
import { until } from '../form-service/test/until.ts';
import { postAtPace, postEnquiries } from './load.ts';
import { withApi, withBackends, withWorker, type Environment } from './processes.ts';
import { below, figure, type Result } from './result.ts';

const PACE_PER_SECOND = 50;
const PACE_SECONDS = 10;
const BACKLOG = 2_000;
const ROUNDS = 3;
/** Share of a backlog's messages at each end that is not counted, because connections are opened and closed there. */
const EDGE = 0.1;
const REFERENCE = /KW(?:-[0-9A-Z]{4}){4}/;

/** Arrival time of each message, by its reference. */
type Arrivals = ReadonlyMap<string, number>;

/** Measures the delay between the 202 and the received mail at a steady pace, and the rate at which a backlog is sent. */
export async function benchDelivery(): Promise<Result[]> {
  const withAll = <Value>(action: (env: Environment, arrivals: Arrivals) => Promise<Value>) =>
    withMailServer((url, arrivals) => withBackends((env) => action({ ...env, SMTP_URL: url }, arrivals)));
  const paced = await withAll(acceptedToMail);
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rates.push(await withAll(backlog));
  return [...delays(paced), figure('mails of a worker with a backlog', 'mails/s', median(rates))];
}

const delays = (sorted: number[]): Result[] => [
  below(`accepted to received mail, p50 at ${PACE_PER_SECOND} requests/s`, 'ms', quantile(sorted, 0.5), 5),
  below(`accepted to received mail, p99 at ${PACE_PER_SECOND} requests/s`, 'ms', quantile(sorted, 0.99), 100),
];

/** Returns the milliseconds between each 202 and the received mail, at a steady pace with one worker. */
function acceptedToMail(env: Environment, arrivals: Arrivals): Promise<number[]> {
  const acceptedAt = new Map<string, number>();
  const noteAnswer = (body: string) => void acceptedAt.set(REFERENCE.exec(body)?.[0] ?? '', performance.now());
  return withWorker(env, () =>
    withApi(env, async (api) => {
      await postAtPace(api, { perSecond: PACE_PER_SECOND, seconds: PACE_SECONDS }, noteAnswer);
      await until('all mails', () => [...acceptedAt.keys()].every((reference) => arrivals.has(reference)));
      return [...acceptedAt].map(([reference, at]) => (arrivals.get(reference) ?? Infinity) - at);
    }),
  );
}

/** Creates the backlog, stops the api, then starts the worker. */
async function backlog(env: Environment, arrivals: Arrivals): Promise<number> {
  await withApi(env, (api) => postEnquiries(api, BACKLOG));
  await withWorker(env, () => until('all mails', () => arrivals.size >= BACKLOG));
  return rateOf(arrivals);
}

/** Mails per second, without the start and the end. */
function rateOf(arrivals: Arrivals): number {
  const times = [...arrivals.values()].slice(0, BACKLOG);
  return (BACKLOG * (1 - 2 * EDGE)) / ((quantile(times, 1 - EDGE) - quantile(times, EDGE)) / 1000);
}

/** Runs a mail server that accepts every message immediately while `action` runs. */
async function withMailServer<Value>(action: (url: string, arrivals: Arrivals) => Promise<Value>): Promise<Value> {
  const arrivals = new Map<string, number>();
  const server = await MailServer.start({
    onData(stream, _session, done) {
      let head = '';
      stream.on('data', (chunk: Buffer) => (head ||= chunk.toString('latin1')));
      stream.once('end', () => {
        arrivals.set(REFERENCE.exec(head)?.[0] ?? '', performance.now());
        done();
      });
    },
  });
  try {
    return await action(server.url, arrivals);
  } finally {
    await server.stop();
  }
}
