import { bootstrap } from './bootstrap.mjs';

await bootstrap('./stack/config-check.ts');
