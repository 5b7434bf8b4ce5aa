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
const SIZES = [FEW, 1_000, 100_000];
const CONNECTIONS = 32;

/**
 * What a submission costs with 10, 1,000 and 100,000 delivered ones in the store: it must not grow. While the worker has
 * many, its walk over all that is delivered (retention) begins with its start and goes on through the measurement.
 */
export function benchGrowth(programs: Programs): Promise<Result[]> {
  return withBackends(programs, async (env, folder) => {
    const stores = SIZES.map((size) => join(folder, `store-${size}`));
    for (const [index, store] of stores.entries()) await fillStore(store, SIZES[index] ?? 0);
    const envs = stores.map((store) => ({ ...env, STORAGE_URL: `file:${store}` }));
    // Latencies first: the other measurement leaves as many pending submissions as it can.
    return [...(await latencies(envs)), ...(await throughput(envs))];
  });
}

type Environments = Awaited<Parameters<Parameters<typeof withBackends>[1]>[0]>[];

async function throughput([few, some, many]: Environments): Promise<Result[]> {
  if (!few || !some || !many) throw new RangeError('Three stores are compared');
  const shape = (url: string) => ({ url: `${url}/api/contact`, connections: CONNECTIONS, script: CONTACT_SHAPE });
  const measured = await withApi(few, (a) => withApi(some, (b) => withApi(many, (c) => measureInTurns([shape(a), shape(b), shape(c)]))));
  const [base, ...others] = measured.map(({ requestsPerSecond }) => requestsPerSecond);
  return others.map((value, index) => atLeast(`POST /api/contact with ${label(index + 1)} in the store, against ${FEW}`, 'requests/s', value, base ?? 0, 0.9));
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
