/**
 * `npm run bench` compares the service with bare servers. `npm run bench lighthouse`, `npm run bench trace` and
 * `npm run bench motion` measure the pages, and `npm run bench load` a running installation.
 */
const [name = ''] = process.argv.slice(2);
const isNamed = ['lighthouse', 'trace', 'motion', 'load'].includes(name);
if (isNamed) process.argv.splice(2, 1);
await import(`./run-${isNamed ? name : 'bench'}.ts`);
