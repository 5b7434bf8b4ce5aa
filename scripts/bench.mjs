import { bootstrap } from './bootstrap.mjs';

await bootstrap('../bench/run-bench.ts');
