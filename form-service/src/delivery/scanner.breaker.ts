import { Injectable } from '@nestjs/common';
import { CircuitBreaker } from './circuit-breaker.ts';
import { VirusScanner } from './virus-scanner.service.ts';

/** The circuit breaker of the virus scanner. While it is open, applications wait and enquiries do not. */
@Injectable()
export class ScannerBreaker extends CircuitBreaker {
  constructor(private readonly scanner: VirusScanner) {
    super('virus scanner');
  }

  protected override probe(): Promise<void> {
    return this.scanner.ping();
  }
}
