import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { applicationSubmission, contactSubmission } from '../../../test/submissions.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { StorageUnavailableError } from '../submission-store.ts';
import { learnEtagForm, UnsafeServerError, type Condition, type WriteOutcome } from './conditions.ts';
import { readPlace } from './place.ts';
import { S3Store } from './s3-store.ts';

const FAILED = { error: new Error('412'), isConflict: true };

describe('a server of object storage', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: Server | undefined;
  let store: S3Store;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(async () => {
    await store.close();
    server?.closeAllConnections();
    server?.close();
    await folder.remove();
  });

  async function open(listener: RequestListener): Promise<void> {
    server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const keys = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };
    store = S3Store.open({ STORAGE_URL: 's3://bucket?path-style', INSTANCE: 'test', UPLOAD_DIR: folder.path, AWS_ENDPOINT_URL_S3: endpoint, ...keys });
  }

  it('that says nothing, refuses or cannot be reached is trouble that may pass', async () => {
    await open(() => undefined);
    await expect(store.accept(contactSubmission(), 'pending')).rejects.toThrow(StorageUnavailableError);
    await expect(store.checkWritable()).rejects.toThrow(StorageUnavailableError);
    server?.removeAllListeners('request').on('request', (_request, answer) => answer.writeHead(403).end());
    await expect(store.find(contactSubmission().id)).rejects.toThrow(StorageUnavailableError);
    server?.closeAllConnections();
    server?.close();
    await expect(store.claim(contactSubmission().id)).rejects.toThrow(StorageUnavailableError);
  });

  it('that ignores conditions gets no submission, and no upload stays behind', async () => {
    const written: string[] = [];
    await open((request, answer) => {
      if (request.method === 'PUT') written.push(request.url ?? '');
      request.resume();
      answer.writeHead(200, { ETag: '"one"' }).end();
    });
    await expect(store.checkWritable()).rejects.toThrow(UnsafeServerError);
    const upload = await store.createUploadPath();
    await writeFile(upload, 'x');
    await expect(store.accept(applicationSubmission(Buffer.from('x')), 'pending', upload)).rejects.toThrow(UnsafeServerError);
    await expect(writeFile(upload, '', { flag: 'r+' })).rejects.toThrow('ENOENT');
    expect(written.filter((url) => url.includes('/records/'))).toEqual([]);
  });

  it('gets no more uploads at once than there is room for', async () => {
    await open(() => undefined);
    for (let count = 0; count < 64; count++) await writeFile(await store.createUploadPath(), 'x');
    await expect(store.createUploadPath()).rejects.toThrow(StorageUnavailableError);
  });
});

describe('learnEtagForm', () => {
  /** A server that keeps to conditions, and reads etags in a form of its own. */
  const serverWith = (read: (etag: string) => boolean) => {
    let isThere = false;
    return (_text: string, condition: Condition): Promise<WriteOutcome> => {
      const holds = 'IfMatch' in condition ? isThere && read(condition.IfMatch) : !isThere;
      isThere = true;
      return Promise.resolve(holds ? { etag: '"e1"' } : FAILED);
    };
  };

  it.each(['"e1"', 'e1'])('finds that a server wants %s', async (form) => {
    const formOf = await learnEtagForm(serverWith((etag) => etag === form));
    expect(formOf('"e2"')).toBe(form.replace('1', '2'));
  });

  it('refuses a server that knows no etag, or does not keep to one', async () => {
    await expect(learnEtagForm(serverWith(() => false))).rejects.toThrow(UnsafeServerError);
    await expect(learnEtagForm(serverWith(() => true))).rejects.toThrow(UnsafeServerError);
  });
});

describe('readPlace', () => {
  it.each([
    ['s3://bucket', { bucket: 'bucket', prefix: '', pathStyle: false }],
    ['s3://bucket/', { bucket: 'bucket', prefix: '', pathStyle: false }],
    ['s3://my.bucket/a/b%20c/?path-style', { bucket: 'my.bucket', prefix: 'a/b c/', pathStyle: true }],
  ])('reads %s', (url, place) => {
    expect(readPlace(url)).toEqual(place);
  });
});
