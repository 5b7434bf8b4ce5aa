import { bootstrap } from './bootstrap.mjs';

await bootstrap('../e2e/gallery/run.ts');
