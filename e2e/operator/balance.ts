import type { Check } from '../faults/verdict.ts';
import type { Cast } from './afternoon.ts';
import { Metrics } from './metrics.ts';

const FORMS = ['contact', 'application'];

/** Compares, when all is quiet again, the visitors' account with the mail server's, the operator's list and the metrics. */
export async function balance(
  { product, ledger, operator }: Cast,
  visitors: number,
  say: (sentence: string) => void,
): Promise<Check[]> {
  const [api, worker] = [await Metrics.of(product.inside.api), await Metrics.of(product.inside.worker)];
  const promised = [...ledger.accepted];
  const arrived = ledger.arrivals.filter(({ visitor }) => !Number.isNaN(visitor)).map(({ reference }) => reference);
  const canaries = ledger.arrivals.length - arrived.length;
  const ofForms = (metrics: Metrics, name: string, label: string) =>
    FORMS.reduce((sum, form) => sum + metrics.sum(name, `form="${form}"`, label), 0);
  const counts = {
    visitors,
    promised: promised.length,
    mails: arrived.length,
    'metrics: accepted': ofForms(api, 'kitewright_submissions_total', 'outcome="accepted"'),
    'metrics: delivered': ofForms(worker, 'kitewright_submissions_settled_total', 'state="delivered"'),
  };
  say(
    Object.entries({ ...counts, canaries })
      .map(([name, count]) => `${name} ${count}`)
      .join(', '),
  );
  const listed = (await operator.list('delivered')).length;
  return [
    {
      promise: 'visitors, promises, mails and metrics are equally many',
      broken: Object.values(counts).filter((count) => count !== visitors),
    },
    { promise: 'each mail came once', broken: difference(arrived, promised) },
    {
      promise: 'the list has them, and the one canary, as delivered',
      broken: listed === promised.length + 1 && canaries === 1 ? [] : [listed, canaries],
    },
    {
      promise: 'the list has nothing else',
      broken: [...(await operator.list('failed')), ...(await operator.list('quarantined'))],
    },
  ];
}

/** What is in one list and not in the other, each copy counted. */
export function difference(a: readonly string[], b: readonly string[]): string[] {
  const rest = [...b];
  const missing = a.filter((item) => {
    const index = rest.indexOf(item);
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
  return [...missing, ...rest];
}
