import { quantile } from 'simple-statistics';
import { postAtPace, postEnquiries, throughputs } from './load.ts';
import { freePorts } from '../scripts/stack/ports.ts';
import { withApi, withBackends, withBareExpress, type Environment } from './processes.ts';
import { atLeast, below, type Result } from './result.ts';

const PACE_PER_SECOND = 50;
const PACE_SECONDS = 10;

/**
 * Compares POST /api/contact, which validates, stores with fsync and enqueues, with a bare handler that only adds the same
 * job. Also measures the response time at a steady pace. Both use the same Redis; no worker runs.
 */
export function benchIntake(): Promise<Result[]> {
  return withBackends((env) =>
    withApi(env, (api) =>
      withBareExpress(env, async (bare) => {
        const [ours = 0, theirs = 0] = await throughputs([api, bare]);
        const waits = await postAtPace(api, { perSecond: PACE_PER_SECOND, seconds: PACE_SECONDS });
        const { late, processor } = await underFullLoad(env);
        return [
          atLeast('POST /api/contact against bare Express 5 + BullMQ add', 'requests/s', ours, theirs, 0.52),
          below(`POST /api/contact, p50 at ${PACE_PER_SECOND} requests/s`, 'ms', quantile(waits, 0.5), 30),
          below(`POST /api/contact, p99 at ${PACE_PER_SECOND} requests/s`, 'ms', quantile(waits, 0.99), 100),
          below('the event loop of the api at full load, p99 of its delay', 'ms', late, 10),
          below('the processor of the api for a request at full load', 'ms', processor, 0.5),
        ];
      }),
    ),
  );
}

/** Returns the event loop delay and the CPU time per request in ms, of a separate api at full load. */
async function underFullLoad(env: Environment): Promise<{ late: number; processor: number }> {
  const [port = 0] = await freePorts(1);
  const read = async () =>
    (await fetch(`http://127.0.0.1:${port}`)).json() as Promise<Record<'late' | 'processor', number>>;
  const measure = async (api: string) => {
    await postEnquiries(api);
    await read();
    const { total } = await postEnquiries(api);
    const { late, processor } = await read();
    return { late, processor: processor / total };
  };
  return withApi({ ...env, METER_PORT: String(port), NODE_OPTIONS: '--import ./bench/meter.mjs' }, measure);
}
