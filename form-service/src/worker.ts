import { start } from './start.ts';
import { WorkerModule } from './worker.module.ts';

await start(WorkerModule, (app, { WORKER_PORT, WORKER_HOST }) => {
  app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
  return app.listen(WORKER_PORT, WORKER_HOST);
});
