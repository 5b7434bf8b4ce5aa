// node --import ./bench/event-loop.mjs: looks each millisecond how late the event loop is. A GET on EVENT_LOOP_PORT answers with the
// 99th percentile in milliseconds since the GET before.
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const RESOLUTION_MS = 1;

// Threads read the same flags as their process.
if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  createServer((_, response) => {
    // What is measured is the time between two looks.
    response.end(String(delay.percentile(99) / 1e6 - RESOLUTION_MS));
    delay.reset();
  })
    .listen(Number(process.env.EVENT_LOOP_PORT), '127.0.0.1')
    .unref();
}
