import { start } from './start.ts';
import { ApiModule } from './api.module.ts';
import { configureHttpServer } from './http/http-server.ts';

await start(ApiModule, (app, { API_PORT, API_HOST }) => {
  configureHttpServer(app);
  app.enableShutdownHooks();
  return app.listen(API_PORT, API_HOST);
});
