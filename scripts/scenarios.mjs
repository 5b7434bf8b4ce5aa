import { bootstrap } from './bootstrap.mjs';

await bootstrap('../e2e/scenarios/run.ts');
