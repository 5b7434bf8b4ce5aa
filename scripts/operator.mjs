import { bootstrap } from './bootstrap.mjs';

await bootstrap('../e2e/operator/run.ts');
