import type { Programs } from '../scripts/stack/programs.ts';
import { Database } from '../form-service/src/database/database.ts';
import { FORM_KINDS } from '../form-service/src/submissions/submission.ts';
import { BacklogRepository } from '../form-service/src/submissions/backlog.repository.ts';
import { LeasesRepository } from '../form-service/src/submissions/leases.repository.ts';
import { SubmissionsRepository } from '../form-service/src/submissions/submissions.repository.ts';
import { CONTACT_SHAPE } from './contact-body.ts';
import { acceptedToMail } from './delivery-bench.ts';
import { fillDatabase } from './fill-database.ts';
import { residentMegabytes, withApi, withBackends, withWorker, type ServiceEnvironment } from './form-service.ts';
import { MailSink } from './mail-sink.ts';
import { median } from './median.ts';
import { percentile } from './paced-load.ts';
import { atLeast, below, type Result } from './result.ts';
import { measureInTurns } from './wrk.ts';

const FEW = 10;
const SIZES = [FEW, 1_000, 100_000, 1_000_000];
const CONNECTIONS = 32;
const QUERY_ROUNDS = 50;
const YEARS_MS = 10 * 365 * 86_400_000;

/** What a submission, and each query that the worker repeats, costs with 10 to 1,000,000 delivered ones: it must not grow. */
export function benchGrowth(programs: Programs): Promise<Result[]> {
  return withBackends(programs, async (env, folder) => {
    const envs = SIZES.map((size) => ({ ...env, DATABASE_URL: `file:${folder}/${size}/submissions.db` }));
    for (const [index, one] of envs.entries()) await fillDatabase(one.DATABASE_URL, SIZES[index] ?? 0);
    // Latencies first: the last measurement leaves as many pending submissions as it can.
    const largest = { ...env, DATABASE_URL: envs.at(-1)?.DATABASE_URL ?? '' };
    return [...(await queries(envs)), ...(await latencies(largest)), ...(await throughput(envs))];
  });
}

async function throughput(envs: readonly ServiceEnvironment[]): Promise<Result[]> {
  const urls: string[] = [];
  const withAll = (index: number): Promise<{ requestsPerSecond: number }[]> => {
    const env = envs[index];
    if (env) return withApi(env, (url) => (urls.push(`${url}/api/contact`), withAll(index + 1)));
    return measureInTurns(urls.map((url) => ({ url, connections: CONNECTIONS, script: CONTACT_SHAPE })));
  };
  const [base = 0, ...others] = (await withAll(0)).map(({ requestsPerSecond }) => requestsPerSecond);
  return others.map((value, index) =>
    atLeast(
      `POST /api/contact with ${label(index + 1)} in the database, against ${FEW}`,
      'requests/s',
      value,
      base,
      0.9,
    ),
  );
}

async function queries(envs: readonly ServiceEnvironment[]): Promise<Result[]> {
  const rows: Result[] = [];
  for (const [index, env] of envs.entries()) {
    const database = await Database.open(env['DATABASE_URL'] ?? '');
    const submissions = new SubmissionsRepository(database);
    const asked: Readonly<Record<string, () => Promise<unknown>>> = {
      'what is due': () => new LeasesRepository(database).due(FORM_KINDS),
      'what metrics show': () => new BacklogRepository(database).counts(),
      'what retention deletes': () => submissions.deleteOlder(['delivered'], YEARS_MS),
    };
    for (const [name, ask] of Object.entries(asked)) {
      const times: number[] = [];
      for (let round = 0; round < QUERY_ROUNDS; round += 1) {
        const start = performance.now();
        await ask();
        times.push(performance.now() - start);
      }
      rows.push(
        below(`the query for ${name}, with ${label(index)} in the database`, 'ms', median(times), undefined, 5),
      );
    }
    await database.close();
  }
  return rows;
}

async function latencies(env: ServiceEnvironment): Promise<Result[]> {
  const sink = await MailSink.start();
  try {
    const withSink = { ...env, SMTP_URL: sink.url };
    const { sorted, megabytes } = await withWorker(withSink, async (_url, pid) => ({
      sorted: await acceptedToMail(withSink, sink),
      megabytes: residentMegabytes(pid),
    }));
    const among = `with ${label(SIZES.length - 1)} in the database`;
    return [
      below(`accepted to received mail, p50, ${among}`, 'ms', percentile(sorted, 0.5), undefined, 30),
      below(`accepted to received mail, p99, ${among}`, 'ms', percentile(sorted, 0.99), undefined, 250),
      below(`memory of the worker after that, ${among}`, 'MB', megabytes, undefined, 150),
    ];
  } finally {
    await sink.stop();
  }
}

function label(index: number): string {
  return (SIZES[index] ?? 0).toLocaleString('en');
}
