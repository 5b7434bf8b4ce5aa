import { execFileSync } from 'node:child_process';
import { readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiServer } from '../../test/api-server.ts';
import { pdf } from '../../test/corpus/pdf.ts';
import { RedisServer } from '../../test/redis-server.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { FolderStore } from './folder-store.ts';
import { Holder } from './holder.ts';
import { randomSubmissionId } from './submission-id.ts';

Logger.overrideLogger(false);

const ENQUIRY = { name: 'Ada', email: 'ada@visitor.example', service: 'Web Development', message: 'x'.repeat(9_000) };

/** Only root may mount a disk small enough to fill. */
const isRoot = process.getuid?.() === 0;

(isRoot ? describe : describe.skip)('a full disk (a tmpfs, which needs root)', () => {
  let redis: RedisServer;
  let api: ApiServer;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => {
    folder = await temporaryFolder();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', folder.path]);
    redis = await RedisServer.start();
    api = await ApiServer.start(redis.url, { STORAGE_URL: `file:${folder.path}/store` });
  });
  afterAll(async () => {
    await api.close();
    await redis.stop();
    execFileSync('umount', [folder.path]);
    await folder.remove();
  });

  const send = () => api.postJson('/api/contact', ENQUIRY);
  const upload = () => {
    const data = new FormData();
    data.append('fullName', 'Ada');
    data.append('email', 'ada@visitor.example');
    data.append('resume', new Blob([new Uint8Array(pdf(3_000_000))], { type: 'application/pdf' }), 'cv.pdf');
    return api.post('/api/resume', data);
  };

  it('is answered with 503 and keeps nothing, and is over as soon as there is room', async () => {
    expect((await send()).status).toBe(202);
    await writeFile(join(folder.path, 'filling'), Buffer.alloc(8_000_000)).catch(() => undefined);
    const before = await api.pendingIds();
    for (const answer of [await send(), await upload(), await send()]) {
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('30');
      expect(await answer.json()).toMatchObject({ success: false, message: expect.stringContaining('try again') });
    }
    expect((await fetch(`${api.url}/health/ready`)).status).toBe(503);
    expect(await api.pendingIds()).toEqual(before);
    expect(await readdir(join(folder.path, 'store/incoming'))).toEqual([]);
    await rm(join(folder.path, 'filling'));
    expect((await send()).status).toBe(202);
    expect((await upload()).status).toBe(202);
  });

  it('takes no claim without its holder, which would hold up a delivery until it lapses', async () => {
    const store = await FolderStore.open(join(folder.path, 'store'), new Holder('test'));
    const id = randomSubmissionId();
    await writeFile(join(folder.path, 'filling'), Buffer.alloc(8_000_000)).catch(() => undefined);
    const taken = await store.claim(id).catch(() => false);
    const claims = await readdir(join(folder.path, 'store/claims'));
    expect(claims).toEqual(taken ? [id] : []);
    for (const claim of claims) expect(await readlink(join(folder.path, 'store/claims', claim))).toMatch(/^test~/);
    await rm(join(folder.path, 'filling'));
    await store.release(id);
    expect(await store.claim(id)).toBe(true);
    await store.close();
  });
});
