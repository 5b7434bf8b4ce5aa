import { statSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '../scripts/stack/ports.ts';
import type { Programs } from '../scripts/stack/programs.ts';
import { atLeast, below, type Result } from './result.ts';
import { SITE, withSite } from './site-server.ts';
import { measureInTurns } from './wrk.ts';

const CONNECTIONS = 64;
/** nginx takes no longer word in its configuration. */
const WORD_BYTES = 4000;

/** The precompressed home page against a plain `return 200` of the same size, in the same nginx. */
export async function benchHomePage(programs: Programs): Promise<Result[]> {
  const [barePort = 0] = await freePorts(1);
  const bytes = statSync(join(SITE, 'index.html.br')).size;
  const compare = async (url: string) => {
    const target = (address: string) => ({
      url: `${address}/`,
      connections: CONNECTIONS,
      headers: ['Accept-Encoding: br'],
    });
    const [page, bare] = await measureInTurns([target(url), target(`http://127.0.0.1:${barePort}`)]);
    if (page === undefined || bare === undefined) throw new RangeError('Two targets were measured');
    return [
      atLeast(
        `home page, ${bytes} bytes brotli, throughput against return 200`,
        'requests/s',
        page.requestsPerSecond,
        bare.requestsPerSecond,
        0.85,
      ),
      below('home page, p99 under full load', 'ms', page.p99Ms, bare.p99Ms, 50),
    ];
  };
  return withSite(programs, compare, bareServer(barePort, bytes));
}

/** Sends as many bytes from memory. The headers are the same, since every server inherits them. */
function bareServer(port: number, bytes: number): string {
  const words = Array.from({ length: Math.ceil(bytes / WORD_BYTES) }, (_, index) =>
    'x'.repeat(Math.min(WORD_BYTES, bytes - index * WORD_BYTES)),
  );
  const names = words.map((_, index) => `$bare_${index}`);
  const sets = words.map((word, index) => `set ${names[index]} ${word};`).join('\n');
  return `server {\nlisten 127.0.0.1:${port};\n${sets}\nlocation / { default_type text/html; return 200 "${names.join('')}"; }\n}\n`;
}
