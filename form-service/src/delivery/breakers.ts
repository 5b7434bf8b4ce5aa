import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Mailer } from '../mail/mailer.service.ts';
import { CircuitBreaker } from '../outbox/circuit-breaker.ts';
import { VirusScanner } from './virus-scanner.service.ts';

/** Circuit breakers of the services that deliveries need. While the scanner's is open, only applications wait. */
@Injectable()
export class Breakers implements OnModuleDestroy {
  readonly mailServer: CircuitBreaker;
  readonly scanner: CircuitBreaker;

  constructor(mailer: Mailer, scanner: VirusScanner) {
    this.mailServer = new CircuitBreaker('mail server', (signal) => mailer.verify(signal));
    this.scanner = new CircuitBreaker('virus scanner', () => scanner.ping());
  }

  onModuleDestroy(): void {
    this.mailServer.stop();
    this.scanner.stop();
  }
}
