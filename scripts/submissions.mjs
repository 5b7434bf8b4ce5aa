import { bootstrap } from './bootstrap.mjs';

await bootstrap('./stack/submissions.ts');
