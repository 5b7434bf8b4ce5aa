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
/** Part of a backlog's messages, at its start and end, that does not count: connections are opened there. */
const EDGE = 0.1;
const REFERENCE = /KW(?:-[0-9A-Z]{4}){4}/;

/** When each message was taken, by the reference in it. */
type Arrivals = ReadonlyMap<string, number>;

/** From the answer to the visitor to the mail server's, at a steady pace; and how fast a backlog goes out. */
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

/** Milliseconds from the answer to the visitor to the mail server's; at a steady pace, while a worker runs. */
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

/** The backlog is made before the worker starts, and the api is gone by then. */
async function backlog(env: Environment, arrivals: Arrivals): Promise<number> {
  await withApi(env, (api) => postEnquiries(api, BACKLOG));
  await withWorker(env, () => until('all mails', () => arrivals.size >= BACKLOG));
  return rateOf(arrivals);
}

/** Mails a second once everything runs. */
function rateOf(arrivals: Arrivals): number {
  const times = [...arrivals.values()].slice(0, BACKLOG);
  return (BACKLOG * (1 - 2 * EDGE)) / ((quantile(times, 1 - EDGE) - quantile(times, EDGE)) / 1000);
}

/** A mail server that takes everything at once, for as long as an action takes. */
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
