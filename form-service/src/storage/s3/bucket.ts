import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { Condition, WriteOutcome } from './conditions.ts';
import type { Place } from './place.ts';
import { statusOf, unavailable } from './trouble.ts';

/** A small object as found. */
export interface Found {
  readonly text: string;
  /** Names this version of the object in a condition. */
  readonly etag: string;
  /** Milliseconds since the epoch, by the server's clock. */
  readonly modifiedAt: number;
}

export interface Listed {
  readonly key: string;
  readonly modifiedAt: number;
}

/** A file on its way into the bucket. */
export interface UploadFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
}

/** Longest wait for a small object, tries and all, in milliseconds: a visitor waits for three of them. */
const PATIENCE_MS = 6_000;

/** A file of 10 MiB needs longer, in milliseconds. */
const UPLOAD_TIMEOUT_MS = 15_000;

/**
 * The few requests that the store is made of. Trouble of network and server becomes a `StorageUnavailableError`; whether a
 * write happened is then unknown.
 */
export class Bucket {
  /** How far the server's clock is ahead of ours, in milliseconds. */
  private aheadMs = 0;

  constructor(
    private readonly client: S3Client,
    private readonly place: Place,
  ) {
    client.middlewareStack.add(
      (next) => async (input) => {
        const result = await next(input);
        const { headers } = result.response as { headers?: Record<string, string> };
        const time = Date.parse(headers?.['date'] ?? '');
        if (!Number.isNaN(time)) this.aheadMs = time - Date.now();
        return result;
      },
      { step: 'deserialize', name: 'serverClock', priority: 'low' },
    );
  }

  /** Now, by the server's clock as far as its last answer told it; in milliseconds since the epoch. */
  now(): number {
    return Date.now() + this.aheadMs;
  }

  async get(key: string): Promise<Found | undefined> {
    return unlessMissing(async () => {
      const { Body, ETag = '', LastModified } = await this.client.send(new GetObjectCommand(this.at(key)), withinPatience());
      return { text: (await Body?.transformToString()) ?? '', etag: ETag, modifiedAt: LastModified?.getTime() ?? 0 };
    });
  }

  /** The bytes of an object, or undefined when there is none. */
  async open(key: string): Promise<Readable | undefined> {
    return unlessMissing(async () => (await this.client.send(new GetObjectCommand(this.at(key)))).Body as Readable);
  }

  /** Writes whatever is there. */
  async put(key: string, text = ''): Promise<void> {
    await guard(this.client.send(new PutObjectCommand({ ...this.at(key), ...textBody(text) }), withinPatience()));
  }

  /** Writes a file whatever is there; the server compares its digest where it knows how to. Tried twice: a connection kept open may have been closed meanwhile. */
  async upload(key: string, file: UploadFile): Promise<void> {
    await this.tryUpload(key, file).catch(() => this.tryUpload(key, file));
  }

  /** Writes under a condition, once. */
  async tryWrite(key: string, text: string, condition: Condition): Promise<WriteOutcome> {
    try {
      const { ETag = '' } = await this.client.send(new PutObjectCommand({ ...this.at(key), ...textBody(text), ...condition }), withinPatience());
      return { etag: ETag };
    } catch (error) {
      return { error, isConflict: statusOf(error) === 412 || statusOf(error) === 409 };
    }
  }

  /** Removes an object; nothing happens when there is none. */
  async remove(key: string): Promise<void> {
    await guard(this.client.send(new DeleteObjectCommand(this.at(key)), withinPatience()));
  }

  /** Objects below a prefix, in the order of their keys. */
  async *list(prefix: string, after?: string): AsyncGenerator<Listed> {
    const { Bucket, Key: Prefix } = this.at(prefix);
    const StartAfter = after === undefined ? undefined : this.at(after).Key;
    let ContinuationToken: string | undefined;
    do {
      const page = await guard(this.client.send(new ListObjectsV2Command({ Bucket, Prefix, StartAfter, ContinuationToken }), withinPatience()));
      for (const { Key: key = '', LastModified } of page.Contents ?? []) {
        yield { key: key.slice(this.place.prefix.length), modifiedAt: LastModified?.getTime() ?? 0 };
      }
      ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (ContinuationToken !== undefined);
  }

  /** Names one level below a prefix, in their order, at most a thousand. */
  async folders(prefix: string): Promise<string[]> {
    const { Bucket, Key: Prefix } = this.at(prefix);
    const page = await guard(this.client.send(new ListObjectsV2Command({ Bucket, Prefix, Delimiter: '/' }), withinPatience()));
    return (page.CommonPrefixes ?? []).map((folder) => (folder.Prefix ?? '').slice(Prefix.length, -1));
  }

  close(): void {
    this.client.destroy();
  }

  private async tryUpload(key: string, { path, size, sha256 }: UploadFile): Promise<void> {
    const ChecksumSHA256 = Buffer.from(sha256, 'hex').toString('base64');
    const Body = createReadStream(path);
    try {
      await guard(this.client.send(new PutObjectCommand({ ...this.at(key), Body, ContentLength: size, ChecksumSHA256 }), { requestTimeout: UPLOAD_TIMEOUT_MS }));
    } finally {
      Body.destroy();
    }
  }

  private at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.place.bucket, Key: `${this.place.prefix}${key}` };
  }
}

/** The SDK does not tell the length of an empty text by itself. */
function textBody(text: string): { Body: string; ContentLength: number } {
  return { Body: text, ContentLength: Buffer.byteLength(text) };
}

function withinPatience(): { abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.timeout(PATIENCE_MS) };
}

async function guard<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    throw unavailable(error);
  }
}

async function unlessMissing<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket') return undefined;
    throw unavailable(error);
  }
}
