import { setTimeout as pause } from 'node:timers/promises';
import type { MailServer } from '../../form-service/test/mail-server.ts';
import type { PostgresServer } from '../../form-service/test/postgres-server.ts';
import type { Observations } from './observations.ts';
import type { Product } from './product.ts';
import { Records, type Storage } from './records.ts';
import { describeFault, type Fault, type PlannedFault } from './schedule.ts';
import type { SmallDisk } from './small-disk.ts';

interface Breakables {
  readonly product: Product;
  readonly mail: MailServer;
  readonly observed: Observations;
  readonly storage: Storage;
  readonly postgres: PostgresServer | undefined;
  /** Absent where there is no way to fill one. */
  readonly disk: SmallDisk | undefined;
}

/** Connections that hang in one go: each holds one of the worker's few for its whole time-out. */
const HANGS_AT_ONCE = 2;

/** Brings about the planned faults, each at its time. */
export class FaultInjector {
  happened = 0;
  /** When workers died, or lost the mail server: a message that was under way then may come twice. */
  readonly crashes: number[] = [];
  /** The latest fault of each thing. */
  private readonly under = new Map<string, Promise<void>>();

  private readonly things: Breakables;
  private readonly log: (sentence: string) => void;

  constructor(things: Breakables, log: (sentence: string) => void) {
    this.things = things;
    this.log = log;
  }

  /** Resolves when the last fault is over. */
  async run(planned: readonly PlannedFault[]): Promise<void> {
    const startedAt = performance.now();
    await Promise.all(
      planned.map(async ({ atMs, fault }) => {
        await pause(Math.max(0, startedAt + atMs - performance.now()));
        // A fault can take longer than planned, such as filling a disk: the next of its thing waits.
        const done = (this.under.get(fault.thing) ?? Promise.resolve()).then(async () => {
          this.log(describeFault(fault));
          await this[fault.kind](fault);
          this.happened++;
        });
        this.under.set(fault.thing, done);
        await done;
      }),
    );
  }

  private async kill({ thing }: Pick<Fault, 'thing'>): Promise<void> {
    const { product, postgres } = this.things;
    if (thing === 'postgres') {
      await postgres?.kill();
      return postgres?.restart();
    }
    const [machine, name] = product.find(thing);
    await machine.killProcess(name);
    if (thing.startsWith('worker')) this.crashes.push(Date.now());
  }

  private async killAtDelivery(fault: Fault): Promise<void> {
    await Promise.race([this.things.observed.nextArrival(), pause(fault.forMs)]);
    await this.kill(fault);
  }

  private async freeze({ thing, forMs }: Fault): Promise<void> {
    const [machine, name] = this.things.product.find(thing);
    const wake = await machine.freeze(name);
    await pause(forMs);
    wake();
  }

  private wipeRedis(): Promise<void> {
    return this.things.product.wipeRedis();
  }

  private async mailDown({ forMs }: Fault): Promise<void> {
    const { mail } = this.things;
    this.crashes.push(Date.now());
    await mail.stop();
    await pause(forMs);
    await mail.start();
    this.crashes.push(Date.now());
  }

  private async mailBehaviour({ behaviour = 'accept', forMs }: Fault): Promise<void> {
    const { mail } = this.things;
    mail.hangs = HANGS_AT_ONCE;
    mail.behaviour = behaviour;
    await pause(forMs);
    mail.behaviour = 'accept';
  }

  /** As somebody does who looks at it with another program. Where it cannot be had just then, there is nothing to lock. */
  private async databaseLocked({ forMs }: Fault): Promise<void> {
    const records = await Records.open(this.things.storage).catch(() => undefined);
    await records?.lock(forMs).catch(() => undefined);
    await records?.close();
  }

  private async diskFull({ forMs }: Fault): Promise<void> {
    await this.things.disk?.fill();
    await pause(forMs);
    await this.things.disk?.empty();
  }

  /** A disk with files that are open for writing stays writable, so all that writes dies first, and starts on a disk that is not. */
  private async diskReadOnly({ forMs }: Fault): Promise<void> {
    const { product, disk } = this.things;
    do {
      for (const name of [...product.named('api'), ...product.named('worker')]) await this.kill({ thing: name });
    } while (!(await isReadOnlySoon(disk)));
    await pause(forMs);
    disk?.setReadOnly(false);
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
