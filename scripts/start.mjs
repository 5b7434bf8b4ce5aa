import { bootstrap } from './bootstrap.mjs';

await bootstrap('./stack/start.ts');
