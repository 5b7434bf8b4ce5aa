// node preloaded.mjs MODULE: reads the packages of the form service, which is most of what its start takes, and runs MODULE at a
// word on its standard input. Ends when that is closed without one, with who would have said it.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const { dependencies } = JSON.parse(readFileSync('form-service/package.json', 'utf8'));
// What cannot be read will say so when MODULE asks for it.
await Promise.all(Object.keys(dependencies).map((name) => import(name).catch(() => undefined)));
process.stdin.once('data', () => void import(pathToFileURL(process.argv[2] ?? '').href));
