import { Inject, Injectable } from '@nestjs/common';
import { DeliveryQueue } from './delivery-queue.ts';
import { OutageWatch } from './outage-watch.ts';
import { VirusScanner } from './virus-scanner.ts';

/** Whether the virus scanner can be used, and the release of what was held while it could not. */
@Injectable()
export class ScannerWatch extends OutageWatch {
  constructor(
    @Inject(VirusScanner) private readonly scanner: VirusScanner,
    @Inject(DeliveryQueue) private readonly queue: DeliveryQueue,
  ) {
    super('virus scanner');
  }

  protected override probe(): Promise<void> {
    return this.scanner.ping();
  }

  protected override releaseHeld(): Promise<void> {
    return this.queue.promoteDelayed();
  }

  protected override isRefusal(): boolean {
    return false;
  }
}
