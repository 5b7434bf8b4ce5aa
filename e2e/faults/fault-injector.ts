import { setTimeout as pause } from 'node:timers/promises';
import type { MailServer } from '../../form-service/test/mail-server.ts';
import type { PostgresServer } from '../../form-service/test/postgres-server.ts';
import type { Observations } from './observations.ts';
import type { Product } from './product.ts';
import type { Fault, PlannedFault } from './schedule.ts';
import type { SmallDisk } from './small-disk.ts';

interface Resources {
  readonly product: Product;
  readonly mail: MailServer;
  readonly observed: Observations;
  readonly postgres: PostgresServer | undefined;
  /** Undefined if no small disk can be mounted. */
  readonly disk: SmallDisk | undefined;
}

/** Number of messages that hang: each blocks a connection of the worker until the end of the fault. */
const HANGS_AT_ONCE = 2;

/** Injects the planned faults at their times. */
export class FaultInjector {
  happened = 0;
  /** Times at which workers died or lost the mail server. Mails in flight may then arrive twice. */
  readonly crashes: number[] = [];
  /** Latest fault of each target. */
  private readonly under = new Map<string, Promise<void>>();

  private readonly resources: Resources;
  private readonly log: (sentence: string) => void;

  constructor(resources: Resources, log: (sentence: string) => void) {
    this.resources = resources;
    this.log = log;
  }

  /** Resolves when the last fault is over. */
  async run(planned: readonly PlannedFault[]): Promise<void> {
    const startedAt = performance.now();
    await Promise.all(
      planned.map(async ({ atMs, fault }) => {
        await pause(Math.max(0, startedAt + atMs - performance.now()));
        // The next fault of the same target waits, because a fault can take longer than planned.
        const done = (this.under.get(fault.target) ?? Promise.resolve()).then(async () => {
          this.log(JSON.stringify(fault));
          await this[fault.kind](fault);
          this.happened++;
        });
        this.under.set(fault.target, done);
        await done;
      }),
    );
  }

  private async kill({ target }: Pick<Fault, 'target'>): Promise<void> {
    const { product, postgres } = this.resources;
    if (target === 'postgres') {
      await postgres?.kill();
      return postgres?.restart();
    }
    const [machine, name] = product.find(target);
    await machine.killProcess(name);
    if (target.startsWith('worker')) this.crashes.push(Date.now());
  }

  private async killAtDelivery(fault: Fault): Promise<void> {
    await Promise.race([this.resources.observed.nextArrival(), pause(fault.forMs)]);
    await this.kill(fault);
  }

  private async freeze({ target, forMs }: Fault): Promise<void> {
    const [machine, name] = this.resources.product.find(target);
    const wake = await machine.freeze(name);
    await pause(forMs);
    wake();
  }

  private wipeRedis(): Promise<void> {
    return this.resources.product.wipeRedis();
  }

  private async mailDown({ forMs }: Fault): Promise<void> {
    const { mail } = this.resources;
    this.crashes.push(Date.now());
    await mail.stop();
    await pause(forMs);
    await mail.start();
    this.crashes.push(Date.now());
  }

  private async mailBehaviour({ behaviour = 'accept', forMs }: Fault): Promise<void> {
    const { mail } = this.resources;
    mail.hangs = HANGS_AT_ONCE;
    mail.behaviour = behaviour;
    await pause(forMs);
    mail.behaviour = 'accept';
    // Otherwise the worker would wait ten minutes for the reply, longer than this run (RFC 5321, 4.5.3.2.6).
    mail.endHangs();
  }

  private async diskFull({ forMs }: Fault): Promise<void> {
    await this.resources.disk?.fill();
    await pause(forMs);
    await this.resources.disk?.empty();
  }
}
