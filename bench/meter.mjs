// node --import ./bench/meter.mjs: a GET on METER_PORT returns this process's figures since the previous GET: `late`, the 99th
// percentile of the event loop delay in ms, sampled every millisecond, and `processor`, the CPU time of all threads in ms.
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const RESOLUTION_MS = 1;

// Worker threads read the same flags as their process.
if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let before = process.cpuUsage();
  delay.enable();
  createServer((_, response) => {
    const { user, system } = process.cpuUsage(before);
    // The delay includes the sampling interval.
    response.end(
      JSON.stringify({ late: delay.percentile(99) / 1e6 - RESOLUTION_MS, processor: (user + system) / 1e3 }),
    );
    before = process.cpuUsage();
    delay.reset();
  })
    .listen(Number(process.env.METER_PORT), '127.0.0.1')
    .unref();
}
