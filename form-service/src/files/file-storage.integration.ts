import { readdir, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { objectGatewayMissing, ObjectGateway } from '../../test/object-gateway.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { sha256, randomSubmissionId } from '../../test/submissions.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import {
  DamagedStoredFileError,
  openFileStorage,
  submissionIdOf,
  type FileFacts,
  type FileStorage,
} from './file-storage.ts';
import { S3_LIMITS } from './s3-store.ts';

const gatewayIsMissing = objectGatewayMissing();
if (gatewayIsMissing) process.stderr.write(`SKIPPED: résumés in object storage, because ${gatewayIsMissing}\n`);

describe.each([
  ['a folder', undefined],
  ['object storage', gatewayIsMissing],
])('FileStorage > %s', (where, missing) => {
  const ifInstalled = missing ? it.skip : it;
  let gateway: ObjectGateway | undefined;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let files: FileStorage;

  beforeAll(async () => {
    if (where === 'object storage' && !missing) gateway = await ObjectGateway.shared();
  });

  afterAll(() => gateway?.close());

  beforeEach(async () => {
    folder = await temporaryFolder();
    const DATABASE_URL = `file:${folder.path}/submissions.db`;
    files = await openFileStorage({
      DATABASE_URL,
      ...gateway?.settings(randomSubmissionId()),
    });
  });

  afterEach(() => folder.remove());

  async function keep(bytes: Buffer): Promise<FileFacts> {
    const upload = await files.createUploadPath();
    await writeFile(upload, bytes);
    const key = await files.keep(upload, randomSubmissionId());
    return { key, size: bytes.length, sha256: sha256(bytes) };
  }

  /** Replaces the bytes under a key, as a fault of the storage does. */
  async function overwrite({ key }: FileFacts, bytes: Buffer): Promise<void> {
    const upload = await files.createUploadPath();
    await writeFile(upload, bytes);
    await files.store(upload, key);
  }

  ifInstalled('keep > stores the bytes under a key with the reference', async () => {
    const bytes = Buffer.alloc(3 * 1024 * 1024, 'the bytes of a file ');
    const upload = await files.createUploadPath();
    await writeFile(upload, bytes);
    const id = randomSubmissionId();
    const key = await files.keep(upload, id);
    expect(submissionIdOf(key)).toBe(id);
    expect((await buffer(await files.open({ key, size: bytes.length, sha256: sha256(bytes) }))).equals(bytes)).toBe(
      true,
    );
    await expect(writeFile(upload, '', { flag: 'r+' })).rejects.toThrow('ENOENT');
  });

  ifInstalled('lists résumés, removes them and fails to open a removed one', async () => {
    const [one, other] = [await keep(Buffer.from('one')), await keep(Buffer.from('other'))];
    await files.remove(one.key);
    await files.remove(one.key);
    const keys: string[] = [];
    for await (const { key, modifiedAt } of files.list()) {
      keys.push(key);
      expect(Math.abs(Date.now() - modifiedAt)).toBeLessThan(60_000);
    }
    expect(keys).toEqual([other.key]);
    await files.remove(other.key);
    await expect(files.open(one)).rejects.toThrow('RESUMES_URL');
  });

  const large = randomBytes(300_000);
  ifInstalled.each([
    ['it is cut off', large, large.subarray(0, 299_999)],
    ['it is empty', large, Buffer.alloc(0)],
    ['it is longer', large, Buffer.concat([large, large])],
    ['one byte differs at its end', large, Buffer.concat([large.subarray(0, 299_999), Buffer.from('x')])],
    ['one byte of a small one differs', Buffer.from('one'), Buffer.from('ono')],
  ])('open > fails before the last bytes of a damaged file > %s', async (_, bytes, damaged) => {
    const file = await keep(bytes);
    await expect(buffer(await files.open(file))).resolves.toEqual(bytes);
    await overwrite(file, damaged);
    await expect(buffer(await files.open(file))).rejects.toThrow(DamagedStoredFileError);
    let read = 0;
    const reading = async () => {
      for await (const chunk of await files.open(file)) read += (chunk as Buffer).length;
    };
    await expect(reading()).rejects.toThrow('RESUMES_URL: damaged file');
    expect(read).toBeLessThan(bytes.length);
  });

  ifInstalled('open > is no error, and closes the file > the reader stops early', async () => {
    const file = await keep(large);
    await overwrite(file, large.subarray(1));
    const content = await files.open(file);
    for await (const _ of content) break;
    expect(content.destroyed).toBe(true);
    expect(content.errored).not.toBeInstanceOf(StorageUnavailableError);
    await expect(buffer(addAbortSignal(AbortSignal.abort(), await files.open(file)))).rejects.toThrow('aborted');
  });

  ifInstalled('discard > leaves no file', async () => {
    const upload = await files.createUploadPath();
    await writeFile(upload, 'x');
    await files.discard(upload);
    await files.discard(upload);
    const left = await readdir(folder.path, { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual([]);
  });
});

it('FileStorage > object storage > open > fails > the download stalls', async () => {
  const server = createServer((_, response) => response.writeHead(200, { 'content-length': 1_000 }).write('begun'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const folder = await temporaryFolder();
  const settings = {
    DATABASE_URL: `file:${folder.path}/submissions.db`,
    RESUMES_URL: 's3://bucket/folder?path-style',
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'key',
  };
  const files = await openFileStorage(settings, { ...S3_LIMITS, socket: 500 });
  const file = { key: `${randomSubmissionId()}.pdf`, size: 1_000, sha256: sha256(randomBytes(1)) };
  await expect(files.open(file).then(buffer)).rejects.toThrow(/RESUMES_URL|aborted/);
  server.closeAllConnections();
  server.close();
  await folder.remove();
});
