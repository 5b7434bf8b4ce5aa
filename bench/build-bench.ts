import { execFileSync } from 'node:child_process';
import { forgetBuilds, multiplyPages, withFrontendCopy } from './frontend-copy.ts';
import { median } from './median.ts';
import { atMost, below, type Result } from './result.ts';
import { changeSentences } from './sentence-change.ts';

const ROUNDS = 3;
/** How many times the site's own pages a build has: equal steps. */
const SIZES = [1, 4, 7];
const CHANGES = 7;

/**
 * The whole site's build with nothing kept from earlier ones, what each further page adds to it, and how soon a changed
 * sentence is seen in `npm run dev`.
 */
export function benchBuild(): Promise<Result[]> {
  return withFrontendCopy(async (frontend) => [...(await sentences(frontend)), ...builds(frontend)]);
}

async function sentences(frontend: string): Promise<Result[]> {
  const [first = Number.NaN, ...others] = await changeSentences(frontend, 1 + CHANGES);
  return [
    below('the first changed sentence until it is seen in npm run dev', 'ms', first, undefined, 200),
    below('a changed sentence until it is seen in npm run dev', 'ms', median(others), undefined, 200),
  ];
}

/**
 * A page costs the same however many there are: what the last third of the pages adds, against what the middle third does.
 * The build's fixed part is in neither, nor the site's own pages, some of which have drawings of their own to make.
 */
function builds(frontend: string): Result[] {
  const times: number[][] = SIZES.map(() => []);
  const counts: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, size] of SIZES.entries()) {
      counts[index] = multiplyPages(frontend, size);
      times[index]?.push(build(frontend));
    }
  }
  const [own = 0, some = 0, many = 0] = counts;
  const [ofOwn = 0, ofSome = 0, ofMany = 0] = times.map(median);
  return [
    below(`build of all ${own} pages, from nothing`, 's', ofOwn / 1000, undefined, 15),
    // Work that grew with the square of the pages would make this 2.2; a quarter passes for noise.
    atMost(
      `build time of a page more, from ${some} to ${many} pages, against from ${own} to ${some}`,
      'ms',
      (ofMany - ofSome) / (many - some),
      (ofSome - ofOwn) / (some - own),
      1.25,
    ),
  ];
}

/** Milliseconds that `npm run build` takes. */
function build(frontend: string): number {
  forgetBuilds(frontend);
  const startedAt = performance.now();
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: frontend, stdio: ['ignore', 'ignore', 'inherit'] });
  return performance.now() - startedAt;
}
