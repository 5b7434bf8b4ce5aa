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
import type { StorageSettings } from '../settings/settings.ts';
import type { FileStore, StoredFile } from './folder-store.ts';

/**
 * Time limits in milliseconds. With two tries, a visitor learns within seconds that nothing can be stored. `request` ends
 * with the headers of the response, `socket` also applies to its body. `read` is the maximum time to read a file, even
 * if its bytes arrive one by one.
 */
export const S3_LIMITS = { connection: 1_000, request: 15_000, socket: 10_000, read: 60_000 } as const;
export type S3Limits = { readonly [Part in keyof typeof S3_LIMITS]: number };
const TRIES = 2;

/** Region for signatures, which always contain one. Most servers other than Amazon's ignore it. */
const DEFAULT_REGION = 'us-east-1';

/** Keeps the SDK from writing to the log. The caller logs failures. */
const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Files in object storage, by unconditional PUT, GET and DELETE. Keys are never reused. */
export class S3Store implements FileStore {
  private readonly client: S3Client;
  private readonly bucket: string;
  private readonly prefix: string;

  /** Opens `s3://bucket/prefix`, with `?path-style` for servers that do not support bucket names in the host name. */
  constructor(
    { hostname, pathname, searchParams }: URL,
    settings: StorageSettings,
    private readonly limits: S3Limits = S3_LIMITS,
  ) {
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = settings;
    const { AWS_ENDPOINT_URL_S3: endpoint } = settings;
    const path = pathname.replace(/^\/|\/$/g, '');
    this.bucket = hostname;
    this.prefix = path && `${path}/`;
    this.client = new S3Client({
      region: settings.AWS_REGION ?? DEFAULT_REGION,
      forcePathStyle: searchParams.has('path-style'),
      maxAttempts: TRIES,
      logger: SILENT,
      requestHandler: {
        connectionTimeout: limits.connection,
        requestTimeout: limits.request,
        throwOnRequestTimeout: true,
        socketTimeout: limits.socket,
      },
      // Servers other than Amazon's do not support checksums in trailers.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      ...(endpoint && { endpoint }),
      // Without keys the SDK uses its default chain: shared files, the role of the container or machine.
      ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
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
    // The SDK cannot retry a stream, so the retry is here: a keep-alive connection may have been closed.
    await put().catch(put).catch(fail);
  }

  async get(key: string): Promise<Readable> {
    const { Body } = await this.client.send(new GetObjectCommand(this.at(key))).catch(fail);
    const body = addAbortSignal(AbortSignal.timeout(this.limits.read), Body as Readable);
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

/** Converts errors of the server or the network. Any other error is a bug and is thrown unchanged. */
function fail(error: unknown): never {
  const { name, $metadata, code } = error as { name: string; $metadata?: { httpStatusCode?: number }; code?: string };
  if (!$metadata && !code && name !== 'TimeoutError') throw error;
  throw new StorageUnavailableError(`RESUMES_URL: ${code ?? name}`, { cause: error });
}
