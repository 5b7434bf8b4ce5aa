import { start } from './start.ts';
import { WorkerModule } from './worker.module.ts';

await start(WorkerModule, ({ WORKER_PORT, WORKER_HOST }) => [WORKER_PORT, WORKER_HOST]);
