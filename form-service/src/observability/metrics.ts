import { Counter, Gauge, Histogram } from 'prom-client';

/*
 * The metrics of this service, which register themselves with Prometheus' client. Their names and labels are fixed
 * words, never something that a visitor sent. A counter with labels is set to 0 for each of them when the process
 * starts, since Prometheus sees no increase in a series that begins with 1.
 */

export function counter<Label extends string = never>(name: string, help: string, ...labelNames: Label[]) {
  return new Counter({ name: `kitewright_${name}`, help, labelNames });
}

export function gauge<Label extends string = never>(name: string, help: string, ...labelNames: Label[]) {
  return new Gauge({ name: `kitewright_${name}`, help, labelNames });
}

/** @param buckets upper bounds in seconds */
export function histogram<Label extends string>(name: string, help: string, buckets: number[], ...labelNames: Label[]) {
  return new Histogram({ name: `kitewright_${name}`, help, buckets, labelNames });
}
