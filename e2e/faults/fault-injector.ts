import { setTimeout as pause } from 'node:timers/promises';
import type { Product } from './product.ts';
import { Records, type Storage } from './records.ts';
import { DELIVERY_LIMIT_MS, describeFault, thingOf, type Fault, type PlannedFault } from './schedule.ts';
import type { SmallDisk } from './small-disk.ts';
import type { SmtpSink } from './smtp-sink.ts';

/** A fault that happened; times in milliseconds since the epoch. */
export interface Happened {
  readonly fault: Fault;
  readonly to: number;
  /** When workers died, or their connections to the mail server: a message that was under way then may come twice. */
  readonly crashes: readonly number[];
}

interface Breakables {
  readonly product: Product;
  readonly mail: SmtpSink;
  readonly storage: Storage;
  /** Absent where there is no way to fill one. */
  readonly disk: SmallDisk | undefined;
}

/** Brings about the planned faults, each at its time. */
export class FaultInjector {
  readonly happened: Happened[] = [];
  /** The latest fault of each thing. */
  private readonly under = new Map<string, Promise<void>>();

  constructor(
    private readonly things: Breakables,
    private readonly say: (sentence: string) => void,
  ) {}

  /** Resolves when the last fault is over. */
  async run(planned: readonly PlannedFault[]): Promise<void> {
    const startedAt = performance.now();
    await Promise.all(
      planned.map(async ({ atMs, fault }) => {
        await pause(startedAt + atMs - performance.now());
        await this.oneAfterTheOther(thingOf(fault), async () => {
          this.say(describeFault(fault));
          const crashes = (await this.cause(fault)) ?? [];
          this.happened.push({ fault, to: Date.now(), crashes });
        });
      }),
    );
  }

  /** A fault can take longer than planned, such as filling a disk: the next of its thing waits. */
  private oneAfterTheOther(thing: string, work: () => Promise<void>): Promise<void> {
    const done = (this.under.get(thing) ?? Promise.resolve()).then(work);
    this.under.set(thing, done);
    return done;
  }

  /** @returns when workers died */
  private async cause(fault: Fault): Promise<number[] | void> {
    const { product, mail, disk, storage } = this.things;
    switch (fault.kind) {
      case 'kill':
        return this.kill(fault.process);
      case 'freeze':
        return product.freezeFor(fault.process, fault.forMs);
      case 'kill at a delivery':
        await Promise.race([mail.nextArrival(), pause(DELIVERY_LIMIT_MS)]);
        return this.kill(fault.process);
      case 'wipe Redis':
        return product.wipeRedis();
      case 'mail server down':
        return this.mailServerDown(fault.forMs);
      case 'mail server mood':
        mail.behave(fault.mood);
        await pause(fault.forMs);
        return mail.behave('well');
      case 'disk full':
        await disk?.fill();
        await pause(fault.forMs);
        return disk?.empty();
      case 'disk read-only':
        return this.diskReadOnly(fault.forMs);
      case 'database locked':
        return lockDatabase(storage, fault.forMs);
    }
  }

  private async kill(name: string): Promise<number[]> {
    await this.things.product.killProcess(name);
    return name.startsWith('worker') ? [Date.now()] : [];
  }

  private async mailServerDown(forMs: number): Promise<number[]> {
    const { mail } = this.things;
    const from = Date.now();
    await mail.stop();
    await pause(forMs);
    await mail.start();
    return [from, Date.now()];
  }

  /** A disk with files that are open for writing stays writable, so all that writes dies first, and starts on a disk that is not. */
  private async diskReadOnly(forMs: number): Promise<number[]> {
    const { product, disk } = this.things;
    const crashes: number[] = [];
    do {
      for (const name of [...product.names.api, ...product.names.worker]) {
        await product.killProcess(name);
        crashes.push(Date.now());
      }
    } while (!(await isReadOnlySoon(disk)));
    await pause(forMs);
    disk?.setReadOnly(false);
    return crashes;
  }
}

/** Tries for less time than the killed processes take to start again. */
async function isReadOnlySoon(disk: SmallDisk | undefined): Promise<boolean> {
  for (let tries = 0; tries < 20; tries++) {
    if (!disk || disk.setReadOnly(true)) return true;
    await pause(20);
  }
  return false;
}

/** As somebody does who looks at it with a program of his own. Where it cannot be had just then, there is nothing to lock. */
async function lockDatabase(storage: Storage, forMs: number): Promise<void> {
  const records = await Records.open(storage).catch(() => undefined);
  await records?.lock(forMs).catch(() => undefined);
  await records?.close();
}
