import { Flood } from '../power-cut/flood.ts';
import type { Scene } from './run.ts';

let seed = 1;

/** References of so many submissions that are accepted now. */
export async function accept({ ledger, product }: Scene, count: number): Promise<string[]> {
  const before = ledger.accepted;
  await new Flood(ledger, seed++).begin(product.siteUrl, count).ended;
  const references = [...ledger.accepted].filter((reference) => !before.has(reference));
  if (references.length !== count) throw new Error(`${references.length} of ${count} were accepted`);
  return references;
}
