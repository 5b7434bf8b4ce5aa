import { bootstrap } from './bootstrap.mjs';

// The service's classes have decorators, which only its own compiler options allow.
process.env.TSX_TSCONFIG_PATH = 'form-service/tsconfig.json';
await bootstrap('../form-service/test/mail-servers/run.ts');
