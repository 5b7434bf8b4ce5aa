import { join } from 'node:path';
import type { Programs } from '../scripts/stack/programs.ts';
import { CONTACT_SHAPE } from './contact-body.ts';
import { acceptedToMail } from './delivery-bench.ts';
import { fillStore } from './fill-store.ts';
import { residentMegabytes, withApi, withBackends, withWorker } from './form-service.ts';
import { MailSink } from './mail-sink.ts';
import { percentile } from './paced-load.ts';
import { atLeast, below, type Result } from './result.ts';
import { measureInTurns } from './wrk.ts';

const FEW = 10;
const SIZES = [FEW, 1_000, 100_000, 1_000_000];
const CONNECTIONS = 32;

/** What a submission costs with 10 to 1,000,000 delivered ones in the database: it must not grow. */
export function benchGrowth(programs: Programs): Promise<Result[]> {
  return withBackends(programs, async (env, folder) => {
    const envs = SIZES.map((size) => ({ ...env, DATABASE_URL: `file:${join(folder, `${size}`, 'submissions.db')}` }));
    for (const [index, { DATABASE_URL }] of envs.entries()) await fillStore(DATABASE_URL, SIZES[index] ?? 0);
    // Latencies first: the other measurement leaves as many pending submissions as it can.
    return [...(await latencies(envs)), ...(await throughput(envs))];
  });
}

type Environments = Awaited<Parameters<Parameters<typeof withBackends>[1]>[0]>[];

async function throughput(envs: Environments): Promise<Result[]> {
  const shape = (url: string) => ({ url: `${url}/api/contact`, connections: CONNECTIONS, script: CONTACT_SHAPE });
  const measured = await withApis(envs, (urls) => measureInTurns(urls.map(shape)));
  const [base, ...others] = measured.map(({ requestsPerSecond }) => requestsPerSecond);
  return others.map((value, index) => atLeast(`POST /api/contact with ${label(index + 1)} in the store, against ${FEW}`, 'requests/s', value, base ?? 0, 0.9));
}

/** One api for each of the environments, all at once. */
function withApis<R>(envs: Environments, action: (urls: string[]) => Promise<R>, urls: string[] = []): Promise<R> {
  const [env, ...others] = envs;
  return env ? withApi(env, (url) => withApis(others, action, [...urls, url])) : action(urls);
}

async function latencies(envs: Environments): Promise<Result[]> {
  const rows: Result[] = [];
  for (const [index, env] of envs.entries()) {
    const sink = await MailSink.start();
    try {
      const withSink = { ...env, SMTP_URL: sink.url };
      const { sorted, megabytes } = await withWorker(withSink, async (_url, pid) => ({ sorted: await acceptedToMail(withSink, sink), megabytes: residentMegabytes(pid) }));
      rows.push(below(`accepted to received mail, p50, with ${label(index)} in the store`, 'ms', percentile(sorted, 0.5), undefined, 30));
      rows.push(below(`accepted to received mail, p99, with ${label(index)} in the store`, 'ms', percentile(sorted, 0.99), undefined, 250));
      rows.push(below(`memory of the worker after that, with ${label(index)} in the store`, 'MB', megabytes, undefined, 150));
    } finally {
      await sink.stop();
    }
  }
  return rows;
}

function label(index: number): string {
  return (SIZES[index] ?? 0).toLocaleString('en');
}
