import { bootstrap } from './bootstrap.mjs';

await bootstrap('../e2e/hostile/run.ts');
