import { postEnquiries, throughputs } from './load.ts';
import { withApi, withBackends, withBareExpress } from './processes.ts';
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
        await eventLoopP99(api);
        await postEnquiries(api);
        return [
          atLeast('POST /api/contact against bare Express 5 + BullMQ add', 'requests/s', ours, theirs, 0.6),
          below(`POST /api/contact, p50 at ${PACE_PER_SECOND} requests/s`, 'ms', latency.p50, 30),
          below(`POST /api/contact, p99 at ${PACE_PER_SECOND} requests/s`, 'ms', latency.p99, 100),
          below('the event loop of the api at full load, p99 of its delay', 'ms', await eventLoopP99(api), 10),
        ];
      }),
    ),
  );
}

/** Since it was last asked. */
async function eventLoopP99(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_p99_seconds ([\d.e-]+)/m.exec(metrics)?.[1]) * 1_000;
}
