// node --import ./bench/meter.mjs: a GET on METER_PORT answers what this process took since the GET before: `late`, the 99th percentile
// of its event loop's delay in milliseconds, looked at each millisecond, and `processor`, milliseconds of all its threads.
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const RESOLUTION_MS = 1;

// Threads read the same flags as their process.
if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let before = process.cpuUsage();
  delay.enable();
  createServer((_, response) => {
    const { user, system } = process.cpuUsage(before);
    // What is measured is the time between two looks.
    response.end(
      JSON.stringify({ late: delay.percentile(99) / 1e6 - RESOLUTION_MS, processor: (user + system) / 1e3 }),
    );
    before = process.cpuUsage();
    delay.reset();
  })
    .listen(Number(process.env.METER_PORT), '127.0.0.1')
    .unref();
}
