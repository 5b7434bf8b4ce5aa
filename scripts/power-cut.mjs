import { bootstrap } from './bootstrap.mjs';

await bootstrap('../e2e/power-cut/run.ts');
