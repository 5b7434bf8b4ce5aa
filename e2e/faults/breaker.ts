import { setTimeout as pause } from 'node:timers/promises';
import type { Product } from './product.ts';
import { DELIVERY_LIMIT_MS, describeFault, type Fault, type PlannedFault } from './schedule.ts';
import type { SmallDisk } from './small-disk.ts';
import type { SmtpSink } from './smtp-sink.ts';

/** A fault that happened; times in milliseconds since the epoch. */
export interface Happened {
  readonly fault: Fault;
  readonly from: number;
  readonly to: number;
}

interface Breakables {
  readonly product: Product;
  readonly mail: SmtpSink;
  /** Absent where there is no way to fill one. */
  readonly disk: SmallDisk | undefined;
}

/** Brings about the planned faults, each at its time. */
export class Breaker {
  readonly happened: Happened[] = [];
  readonly #things: Breakables;
  readonly #say: (sentence: string) => void;

  constructor(things: Breakables, say: (sentence: string) => void) {
    this.#things = things;
    this.#say = say;
  }

  /** Resolves when the last fault is over. */
  async run(planned: readonly PlannedFault[]): Promise<void> {
    const startedAt = performance.now();
    await Promise.all(
      planned.map(async ({ atMs, fault }) => {
        await pause(startedAt + atMs - performance.now());
        await this.#bring(fault);
      }),
    );
  }

  async #bring(fault: Fault): Promise<void> {
    this.#say(describeFault(fault));
    const from = Date.now();
    await this.#cause(fault);
    this.happened.push({ fault, from, to: Date.now() });
  }

  async #cause(fault: Fault): Promise<void> {
    const { product, mail, disk } = this.#things;
    switch (fault.kind) {
      case 'kill':
        return product.killProcess(fault.process);
      case 'freeze':
        return product.freeze(fault.process, fault.forMs);
      case 'kill the worker at a delivery':
        await Promise.race([mail.nextArrival(), pause(DELIVERY_LIMIT_MS)]);
        return product.killProcess('worker');
      case 'wipe Redis':
        return product.wipeRedis();
      case 'mail server down':
        await mail.stop();
        await pause(fault.forMs);
        await mail.start();
        return undefined;
      case 'mail server mood':
        mail.behave(fault.mood);
        await pause(fault.forMs);
        mail.behave('well');
        return undefined;
      case 'disk full':
        await disk?.fill();
        await pause(fault.forMs);
        return disk?.empty();
    }
  }
}
