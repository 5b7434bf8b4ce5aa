import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../form-service/test/until.ts';

const MKFS = ['mkfs.ext4', '-q', '-F', '-E', 'lazy_itable_init=0,lazy_journal_init=0'];

/** Commit interval longer than any test, so that only fsync writes to the disk. */
const OPTIONS = 'loop,commit=300';

/**
 * EXT4_IOC_SHUTDOWN without a journal flush, like `godown` of xfstests: from then on nothing reaches the disk. In Perl,
 * which every Debian has, because Node.js has no ioctl.
 */
const SHUTDOWN =
  'my $how = pack("L", 2); open(my $folder, "<", $ARGV[0]) or die; ioctl($folder, 0x8004587d, $how) or die "ioctl: $!"';

/** A disk whose power can be cut: an ext4 file system in a file. Requires root on Linux. */
export class PoweredDisk {
  readonly path: string;
  private readonly memory: string;
  private image = '';
  private images = 0;

  private constructor(folder: string) {
    this.path = join(folder, 'disk');
    this.memory = join(folder, 'memory');
  }

  /** Reason why this machine cannot create one, or undefined. */
  static missing(): string | undefined {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'mounting a disk requires root on Linux';
    const missing = ['mkfs.ext4', 'losetup', 'perl'].filter((program) => spawnSync(program, ['--version']).error);
    if (missing.length > 0) return `not installed: ${missing.join(', ')}`;
    return spawnSync('losetup', ['--find']).status === 0 ? undefined : 'there is no loop device';
  }

  /** Creates the image in memory, where a sync is fast. Only the writes that reach the image matter. */
  static create(folder: string, megabytes: number): PoweredDisk {
    const disk = new PoweredDisk(folder);
    for (const path of [disk.path, disk.memory]) mkdirSync(path);
    run('mount', '-t', 'tmpfs', '-o', `size=${2 * megabytes}M`, 'tmpfs', disk.memory);
    const image = disk.nextImage();
    run('truncate', `--size=${megabytes}M`, image);
    run(...MKFS, image);
    disk.mount();
    return disk;
  }

  sync(): void {
    run('sync', '--file-system', this.path);
  }

  /** Discards all unsynced data. Every further write fails. */
  cutPower(): void {
    run('perl', '-e', SHUTDOWN, this.path);
  }

  /**
   * Mounts a copy of the image, after the killed processes have closed their files. Not the same image: the kernel keeps a
   * shut-down file system as long as any container has it mounted.
   */
  async restorePower(): Promise<void> {
    await this.unmount();
    const before = this.image;
    run('cp', '--sparse=always', before, this.nextImage());
    rmSync(before);
    this.mount();
  }

  /** Lazy unmount: the loop device releases the image a moment later. */
  async destroy(): Promise<void> {
    await this.unmount();
    run('umount', '--lazy', this.memory);
  }

  private nextImage(): string {
    return (this.image = join(this.memory, `image-${++this.images}`));
  }

  private mount(): void {
    run('mount', '-o', OPTIONS, this.image, this.path);
  }

  private async unmount(): Promise<void> {
    await until(
      'an unused disk',
      () => spawnSync('umount', [this.path], { stdio: 'ignore' }).status === 0 || !isMounted(this.path),
    );
  }
}

function isMounted(path: string): boolean {
  return spawnSync('mountpoint', ['--quiet', path]).status === 0;
}

function run(command = '', ...args: string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command}: ${stderr || error?.message}`);
}
