import { bootstrap } from './bootstrap.mjs';

await bootstrap('../e2e/faults/run.ts');
