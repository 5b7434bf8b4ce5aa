import { bootstrap } from './bootstrap.mjs';

await bootstrap('../e2e/replicas/run.ts');
