import type { FileHandle } from 'node:fs/promises';

/** The file begins as it should and then is not what its own structure says, for example cut short. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError';
}

/** An uploaded file, read in small pieces where its structure points; never as a whole. */
export class RandomAccessFile {
  constructor(
    private readonly handle: FileHandle,
    readonly path: string,
    readonly size: number,
  ) {}

  /** @throws DamagedFileError when the file does not reach that far */
  async read(position: number, length: number): Promise<Buffer> {
    if (position < 0 || position + length > this.size) throw new DamagedFileError('points past the end');
    const { buffer, bytesRead } = await this.handle.read(Buffer.alloc(length), 0, length, position);
    if (bytesRead < length) throw new DamagedFileError('shorter than it was');
    return buffer;
  }

  /** The first bytes, fewer when the file is shorter. */
  head(length: number): Promise<Buffer> {
    return this.read(0, Math.min(length, this.size));
  }

  /** The last bytes, fewer when the file is shorter. */
  tail(length: number): Promise<Buffer> {
    const available = Math.min(length, this.size);
    return this.read(this.size - available, available);
  }
}
