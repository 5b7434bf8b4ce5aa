import { bootstrap } from './bootstrap.mjs';

await bootstrap('./stack/dev.ts');
