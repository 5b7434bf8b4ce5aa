/**
 * `npm run bench` compares the service with bare servers. `npm run bench lighthouse` and `npm run bench trace` measure the
 * pages.
 */
const [name = ''] = process.argv.slice(2);
const isOfPages = ['lighthouse', 'trace'].includes(name);
if (isOfPages) process.argv.splice(2, 1);
await import(`./run-${isOfPages ? name : 'bench'}.ts`);
