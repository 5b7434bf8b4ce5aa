import { start } from './start.ts';
import { WorkerModule } from './worker.module.ts';

await start(WorkerModule, 'WORKER_URL');
