import { bootstrap } from './bootstrap.mjs';

await bootstrap('./checks/run-checks.ts');
