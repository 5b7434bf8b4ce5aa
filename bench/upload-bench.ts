import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pdfOfSize } from '../e2e/support/pdf.ts';
import type { Programs } from '../scripts/stack/programs.ts';
import { residentMegabytes, withApi, withBackends, withServer } from './form-service.ts';
import { median } from './median.ts';
import { Poster } from './paced-load.ts';
import { atLeast, below, type Result } from './result.ts';

const UPLOADS = 100;
const FILE_BYTES = 10_000_000;
const ROUNDS = 3;
const SAMPLE_MS = 20;
/** Until a process that has just started is idle, in milliseconds. */
const SETTLE_MS = 3_000;
const BOUNDARY = 'kitewright-bench-boundary';

/**
 * 100 applications with files of 10 MB at once, against a bare server that writes and syncs the same bodies to the same disk.
 * None may fail, and the api's memory must not grow with them. No worker runs.
 */
export function benchUploads(programs: Programs): Promise<Result[]> {
  return withBackends(programs, (env, folder) => {
    const UPLOAD_FOLDER = join(folder, 'bare');
    mkdirSync(UPLOAD_FOLDER);
    return withApi(env, (api, pid) =>
      withServer('bench/bare-upload.mjs', { ...env, UPLOAD_FOLDER }, '/', (bare) =>
        compare(`${api}/api/resume`, bare, pid),
      ),
    );
  });
}

async function compare(api: string, bare: string, apiPid: number): Promise<Result[]> {
  const body = applicationBody();
  await pause(SETTLE_MS);
  const idle = residentMegabytes(apiPid);
  let peak = idle;
  const sampling = setInterval(() => (peak = Math.max(peak, residentMegabytes(apiPid))), SAMPLE_MS);
  const ours: number[] = [];
  const theirs: number[] = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(await megabytesPerSecond(api, body));
      theirs.push(await megabytesPerSecond(bare, body));
    }
  } finally {
    clearInterval(sampling);
  }
  return [
    atLeast(
      `${UPLOADS} uploads of 10 MB at once, throughput against a bare server that writes and syncs them`,
      'MB/s',
      median(ours),
      median(theirs),
      0.6,
    ),
    below(`memory of the api meanwhile, above its ${idle.toFixed(0)} MB when idle`, 'MB', peak - idle, undefined, 80),
  ];
}

/** Rejects when one upload is not accepted. */
async function megabytesPerSecond(url: string, body: Buffer): Promise<number> {
  const posters = Array.from({ length: UPLOADS }, () => new Poster(url, `multipart/form-data; boundary=${BOUNDARY}`));
  const startedAt = performance.now();
  await Promise.all(posters.map((poster) => poster.post(body)));
  const seconds = (performance.now() - startedAt) / 1000;
  for (const poster of posters) poster.close();
  return (UPLOADS * FILE_BYTES) / 1e6 / seconds;
}

function applicationBody(): Buffer {
  const field = (name: string, value: string) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const file = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="resume"; filename="cv.pdf"\r\nContent-Type: application/pdf\r\n\r\n`;
  const head = field('fullName', 'Ana Example') + field('email', 'ana@example.org') + file;
  return Buffer.concat([Buffer.from(head), pdfOfSize(FILE_BYTES), Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}
