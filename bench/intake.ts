import { postEnquiries, throughputs } from './load.ts';
import { freePorts } from '../scripts/stack/ports.ts';
import { withApi, withBackends, withBareExpress, type Environment } from './processes.ts';
import { atLeast, below, type Result } from './result.ts';

const PACE_PER_SECOND = 50;
const PACE_SECONDS = 10;

/**
 * POST /api/contact, which validates, stores with fsync and enqueues, against a bare handler that only adds the same job; and
 * how long a visitor waits for others. Both talk to one Redis with its log beside the database; no worker runs.
 */
export function benchIntake(): Promise<Result[]> {
  return withBackends((env) =>
    withApi(env, (api) =>
      withBareExpress(env, async (bare) => {
        const [ours = 0, theirs = 0] = await throughputs([api, bare]);
        const { latency } = await postEnquiries(api, { overallRate: PACE_PER_SECOND, duration: PACE_SECONDS });
        return [
          atLeast('POST /api/contact against bare Express 5 + BullMQ add', 'requests/s', ours, theirs, 0.52),
          below(`POST /api/contact, p50 at ${PACE_PER_SECOND} requests/s`, 'ms', latency.p50, 30),
          below(`POST /api/contact, p99 at ${PACE_PER_SECOND} requests/s`, 'ms', latency.p99, 100),
          below('the event loop of the api at full load, p99 of its delay', 'ms', await eventLoopP99(env), 10),
        ];
      }),
    ),
  );
}

/** Of an api of its own, which looks at its event loop more often than the metrics do, every 10 ms. */
async function eventLoopP99(env: Environment): Promise<number> {
  const [port = 0] = await freePorts(1);
  const read = async () => Number(await (await fetch(`http://127.0.0.1:${port}`)).text());
  const measure = async (api: string) => {
    await postEnquiries(api);
    await read();
    await postEnquiries(api);
    return read();
  };
  return withApi({ ...env, EVENT_LOOP_PORT: String(port) }, measure, ['--import', './bench/event-loop.mjs']);
}
