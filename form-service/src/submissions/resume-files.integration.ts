import { readdir, writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { objectGatewayMissing, ObjectGateway } from '../../test/object-gateway.ts';
import { UnreliableNetwork } from '../../test/unreliable-network.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { openResumeFiles, submissionIdOf, type ResumeFiles } from './resume-files.ts';
import { randomSubmissionId } from './submission-id.ts';

const gatewayIsMissing = objectGatewayMissing();
if (gatewayIsMissing) process.stderr.write(`SKIPPED: résumés in object storage, because ${gatewayIsMissing}\n`);

describe.each([
  ['a folder', undefined],
  ['object storage', gatewayIsMissing],
])('Résumés in %s', (where, missing) => {
  const test = missing ? it.skip : it;
  let gateway: ObjectGateway | undefined;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let files: ResumeFiles;

  beforeAll(async () => {
    if (where === 'object storage' && !missing) gateway = await ObjectGateway.start();
  });

  afterAll(() => gateway?.stop());

  beforeEach(async () => {
    folder = await temporaryFolder();
    const DATABASE_URL = `file:${folder.path}/submissions.db`;
    files = await openResumeFiles({
      DATABASE_URL,
      ...(gateway && { ...gateway.settings(randomSubmissionId()), UPLOAD_DIR: folder.path }),
    });
  });

  afterEach(() => folder.remove());

  async function keep(bytes: Buffer): Promise<string> {
    const upload = await files.createUploadPath();
    await writeFile(upload, bytes);
    return files.keep(upload, randomSubmissionId());
  }

  test('A résumé is stored byte for byte under a key that names its submission', async () => {
    const bytes = Buffer.alloc(3 * 1024 * 1024, 'the bytes of a file ');
    const upload = await files.createUploadPath();
    await writeFile(upload, bytes);
    const id = randomSubmissionId();
    const key = await files.keep(upload, id);
    expect(submissionIdOf(key)).toBe(id);
    expect((await buffer(await files.open(key))).equals(bytes)).toBe(true);
    await expect(writeFile(upload, '', { flag: 'r+' })).rejects.toThrow('ENOENT');
  });

  test('Résumés are listed and removed, and opening a removed one fails', async () => {
    const [one, other] = [await keep(Buffer.from('one')), await keep(Buffer.from('other'))];
    await files.remove(one);
    await files.remove(one);
    const keys: string[] = [];
    for await (const { key, modifiedAt } of files.list()) {
      keys.push(key);
      expect(Math.abs(Date.now() - modifiedAt)).toBeLessThan(60_000);
    }
    expect(keys).toEqual([other]);
    await files.remove(other);
    await expect(files.open(one)).rejects.toThrow('RESUMES_URL');
  });

  test('A discarded upload leaves nothing', async () => {
    const upload = await files.createUploadPath();
    await writeFile(upload, 'x');
    await files.discard(upload);
    await files.discard(upload);
    const left = await readdir(folder.path, { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual([]);
  });
});

(gatewayIsMissing ? it.skip : it)('A file that stalls in the middle fails, and does not wait for ever', async () => {
  const gateway = await ObjectGateway.start();
  const network = await UnreliableNetwork.start(gateway.endpoint);
  const folder = await temporaryFolder();
  try {
    const settings = { ...gateway.settings(randomSubmissionId()), AWS_ENDPOINT_URL_S3: network.url };
    const files = await openResumeFiles({ DATABASE_URL: `file:${folder.path}/submissions.db`, ...settings });
    const upload = await files.createUploadPath();
    await writeFile(upload, Buffer.alloc(1_000_000));
    const key = await files.keep(upload, randomSubmissionId());
    network.behave(() => 'stall');
    await expect(files.open(key).then(buffer)).rejects.toThrow(/RESUMES_URL|aborted/);
  } finally {
    await network.stop();
    await gateway.stop();
    await folder.remove();
  }
});
