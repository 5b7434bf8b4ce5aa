import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { addAbortSignal, Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import type { StorageSettings } from '../config/settings.ts';
import type { FileStore, StoredFile } from './folder-store.ts';

/**
 * Each request is tried twice, and with these time-outs a visitor is told within seconds that nothing can be stored
 * now. `requestTimeout` ends with the headers of the answer, `socketTimeout` also applies to its body.
 */
const TIMEOUTS = {
  connectionTimeout: 1_000,
  requestTimeout: 15_000,
  throwOnRequestTimeout: true,
  socketTimeout: 10_000,
};
const TRIES = 2;

/** No file takes longer to read, even when its bytes come one by one. */
const READ_MS = 60_000;

/** Most servers other than Amazon's ignore the region, but every signature contains one. */
const DEFAULT_REGION = 'us-east-1';

/** The SDK must not write lines of its own into our log; the caller reports what fails. */
const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Files in object storage, by three unconditional requests: PUT, GET and DELETE of a key that is never used twice. */
export class S3Store implements FileStore {
  private readonly client: S3Client;
  private readonly bucket: string;
  private readonly prefix: string;

  /** Opens `s3://bucket/prefix`, with `?path-style` for servers that do not support bucket names in the host name. */
  constructor({ hostname, pathname, searchParams }: URL, settings: StorageSettings) {
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = settings;
    const { AWS_SESSION_TOKEN: sessionToken, AWS_ENDPOINT_URL_S3: endpoint } = settings;
    const path = pathname.replace(/^\/|\/$/g, '');
    this.bucket = hostname;
    this.prefix = path && `${path}/`;
    this.client = new S3Client({
      region: settings.AWS_REGION ?? DEFAULT_REGION,
      forcePathStyle: searchParams.has('path-style'),
      maxAttempts: TRIES,
      logger: SILENT,
      requestHandler: TIMEOUTS,
      // Servers other than Amazon's do not support checksums in trailers.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      ...(endpoint && { endpoint }),
      // Without keys the SDK looks in its usual places: shared files, the role of the container or machine.
      ...(accessKeyId &&
        secretAccessKey && { credentials: { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) } }),
    });
  }

  async put(from: string, key: string): Promise<void> {
    const { size } = await stat(from);
    const put = async () => {
      const Body = createReadStream(from);
      try {
        await this.client.send(new PutObjectCommand({ ...this.at(key), Body, ContentLength: size }));
      } finally {
        Body.destroy();
      }
    };
    // The SDK cannot send a stream again, so the second try is made here: a connection that was kept open may have been
    // closed.
    await put().catch(put).catch(fail);
  }

  async get(key: string): Promise<Readable> {
    const { Body } = await this.client.send(new GetObjectCommand(this.at(key))).catch(fail);
    const body = addAbortSignal(AbortSignal.timeout(READ_MS), Body as Readable);
    return Readable.from(withMappedErrors(body), { objectMode: false });
  }

  async delete(key: string): Promise<void> {
    await this.client.send(new DeleteObjectCommand(this.at(key))).catch(fail);
  }

  async freeBytes(): Promise<undefined> {}

  async *list(): AsyncGenerator<StoredFile> {
    const pages = paginateListObjectsV2({ client: this.client }, { Bucket: this.bucket, Prefix: this.prefix });
    for await (const page of withMappedErrors(pages)) {
      for (const { Key = '', LastModified } of page.Contents ?? [])
        yield { key: Key.slice(this.prefix.length), modifiedAt: LastModified?.getTime() ?? Date.now() };
    }
  }

  private at(key: string) {
    return { Bucket: this.bucket, Key: `${this.prefix}${key}` };
  }
}

async function* withMappedErrors<T>(parts: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* parts;
  } catch (error) {
    fail(error);
  }
}

/** Throws an error of the server or the network as the storage's; any other error is a bug and is thrown as it is. */
function fail(error: unknown): never {
  const { name, $metadata, code } = error as { name: string; $metadata?: { httpStatusCode?: number }; code?: string };
  if (!$metadata && !code && name !== 'TimeoutError') throw error;
  throw new StorageUnavailableError(`RESUMES_URL: ${code ?? name}`, { cause: error });
}
