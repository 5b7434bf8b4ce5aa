import type { MailServer } from '../../form-service/test/mail-server.ts';
import type { accept } from '../faults/load.ts';
import type { Observations } from '../faults/observations.ts';
import type { Product } from '../faults/product.ts';
import type { Records } from '../faults/records.ts';

/** The product with two workers and no nginx, and everything to break it with. */
export interface Scenario {
  readonly product: Product;
  readonly records: Records;
  readonly mail: MailServer;
  readonly observed: Observations;
  readonly load: Parameters<typeof accept>[0];
  readonly log: (sentence: string) => void;
}
