import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../form-service/test/until.ts';

const MKFS = ['mkfs.ext4', '-q', '-F', '-E', 'lazy_itable_init=0,lazy_journal_init=0'];

/** What nobody syncs stays in memory for longer than any test lasts. */
const OPTIONS = 'loop,commit=300';

/**
 * EXT4_IOC_SHUTDOWN without writing the journal out: from then on nothing reaches the disk, as `godown` of the file system
 * developers' tests does it. Node.js has no ioctl; Perl is part of every Debian.
 */
const SHUTDOWN =
  'my $how = pack("L", 2); open(my $folder, "<", $ARGV[0]) or die; ioctl($folder, 0x8004587d, $how) or die "ioctl: $!"';

/** A disk of its own whose power can be cut: an ext4 file system in a file. One has to be root on Linux. */
export class PoweredDisk {
  readonly path: string;
  private readonly memory: string;
  private image = '';
  private images = 0;

  private constructor(folder: string) {
    this.path = join(folder, 'disk');
    this.memory = join(folder, 'memory');
  }

  /** Why there can be none here, or undefined. */
  static missing(): string | undefined {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'root on Linux is needed to mount a disk';
    const missing = ['mkfs.ext4', 'losetup', 'perl'].filter((program) => spawnSync(program, ['--version']).error);
    if (missing.length > 0) return `not installed: ${missing.join(', ')}`;
    return spawnSync('losetup', ['--find']).status === 0 ? undefined : 'there is no loop device';
  }

  /** The image is in memory, where a sync is quick: what matters is what reaches the image, not what it is kept in. */
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

  /** Whatever was not synced is gone, and every attempt to write fails. */
  cutPower(): void {
    run('perl', '-e', SHUTDOWN, this.path);
  }

  /**
   * Mounts a copy of what reached the disk, when the processes that were killed have let go of it. Not the same image: the
   * kernel keeps a file system that is shut down as long as any container of the machine has it mounted.
   */
  async restorePower(): Promise<void> {
    await this.unmount();
    const before = this.image;
    run('cp', '--sparse=always', before, this.nextImage());
    rmSync(before);
    this.mount();
  }

  /** Lazily: the loop device lets go of the image a moment later. */
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
      'nobody using the disk',
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
