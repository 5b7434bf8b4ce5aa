import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildChanged } from './build.ts';
import { readRunFile } from './run-file.ts';
import { storageEnvironment } from './services.ts';
import { readSettings } from './settings.ts';

/** `npm run submissions -- ...`: runs the operator's commands on the data of the local stack and, if it runs, its queue. */
const { root, dataDir } = readSettings(process.env);
const known = readRunFile(dataDir)?.connections ?? storageEnvironment(dataDir);
for (const [name, value] of Object.entries(known)) process.env[name] ||= value;

await buildChanged(root, ['form-service']);
await import(pathToFileURL(join(root, 'form-service/dist/cli.js')).href);
