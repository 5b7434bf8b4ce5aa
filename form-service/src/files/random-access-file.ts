import type { FileHandle } from 'node:fs/promises';

/** The file begins correctly but contradicts its own structure, for example because it is truncated. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError';
}

/** An uploaded file that is read in small pieces and never as a whole. */
export class RandomAccessFile {
  private readonly handle: FileHandle;
  readonly path: string;
  readonly size: number;

  constructor(handle: FileHandle, path: string, size: number) {
    this.handle = handle;
    this.path = path;
    this.size = size;
  }

  /** @throws DamagedFileError if the range is outside the file */
  async read(position: number, length: number): Promise<Buffer> {
    if (position < 0 || position + length > this.size) throw new DamagedFileError('points past the end');
    const { buffer, bytesRead } = await this.handle.read(Buffer.allocUnsafe(length), 0, length, position);
    if (bytesRead < length) throw new DamagedFileError('shorter than it was');
    return buffer;
  }

  /** Reads up to `length` bytes. */
  async readUpTo(position: number, length: number): Promise<Buffer> {
    const start = Math.min(Math.max(0, position), this.size);
    return this.read(start, Math.min(length, this.size - start));
  }
}
