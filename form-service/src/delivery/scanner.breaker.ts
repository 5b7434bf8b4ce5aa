import { Injectable } from '@nestjs/common';
import { CircuitBreaker } from './circuit-breaker.ts';
import { VirusScanner } from './virus-scanner.ts';

/** Whether the virus scanner can be used; while it cannot, applications wait and enquiries do not. */
@Injectable()
export class ScannerBreaker extends CircuitBreaker {
  constructor(private readonly scanner: VirusScanner) {
    super('virus scanner');
  }

  protected override probe(): Promise<void> {
    return this.scanner.ping();
  }
}
