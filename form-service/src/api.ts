import { start } from './start.ts';
import { ApiModule } from './api.module.ts';

await start(ApiModule, 'API_URL');
