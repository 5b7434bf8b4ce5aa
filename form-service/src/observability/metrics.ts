import { Counter, Gauge, type Metric, type Registry } from 'prom-client';

/** A counter of this service. Its name and labels are fixed words, never something that a visitor sent. */
export function counter<Label extends string = never>(
  name: string,
  help: string,
  ...labelNames: Label[]
): Counter<Label> {
  return new Counter({ name: `kitewright_${name}`, help, labelNames, registers: [] });
}

/** A gauge, under the same rule. */
export function gauge<Label extends string = never>(name: string, help: string, ...labelNames: Label[]): Gauge<Label> {
  return new Gauge({ name: `kitewright_${name}`, help, labelNames, registers: [] });
}

/** Registers every metric that is a property of an object. */
export function registerAll(registry: Registry, holder: object): void {
  for (const metric of Object.values(holder)) if (isMetric(metric)) registry.registerMetric(metric);
}

function isMetric(value: unknown): value is Metric {
  return typeof value === 'object' && value !== null && 'get' in value && 'help' in value;
}
