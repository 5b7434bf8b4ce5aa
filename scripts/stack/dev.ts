import { join } from 'node:path';
import { httpProbe } from './probes.ts';
import { run } from './run.ts';
import { reachable } from './services.ts';
import type { FrontSpec } from './stack.ts';

/** Vite in nginx's place: the pages with hot reload, /api passed on to the running service. */
const vite: FrontSpec = (settings, ports) => ({
  name: 'vite',
  command: process.execPath,
  args: [
    join(settings.root, 'node_modules/vite/bin/vite.js'),
    join(settings.root, 'frontend'),
    '--host',
    settings.host,
    '--port',
    String(settings.port),
    '--strictPort',
  ],
  env: { API_PORT: String(ports.api) },
  stopSignal: 'SIGTERM',
  isReady: httpProbe(`http://${reachable(settings.host)}:${settings.port}/`),
});

await run({ builds: ['form-service'], front: vite, isWatching: true });
