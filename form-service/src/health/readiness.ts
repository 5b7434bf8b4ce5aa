import { Injectable } from '@nestjs/common';

/** How a part that the process depends on is doing. */
export type ProbeResult =
  | { readonly status: 'ok' }
  /** Something is amiss, and the process does its work all the same. */
  | { readonly status: 'degraded'; readonly cause: string }
  /** The process cannot do its work. */
  | { readonly status: 'down'; readonly cause: string };

export type Probe = () => ProbeResult | Promise<ProbeResult>;

export interface ReadinessReport {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, ProbeResult>>;
}

/** A probe that does not answer in this time counts as down, in milliseconds. */
const PROBE_TIMEOUT_MS = 2_000;

/** Asks every part that registered a probe; causes name parts and codes, never a visitor's data or a secret. */
@Injectable()
export class Readiness {
  private readonly probes = new Map<string, Probe>();

  register(name: string, probe: Probe): void {
    this.probes.set(name, probe);
  }

  async report(): Promise<ReadinessReport> {
    const checks = await Promise.all([...this.probes].map(async ([name, probe]) => [name, await ask(probe)] as const));
    return { ready: checks.every(([, result]) => result.status !== 'down'), checks: Object.fromEntries(checks) };
  }
}

async function ask(probe: Probe): Promise<ProbeResult> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<ProbeResult>((resolve) => {
    timer = setTimeout(resolve, PROBE_TIMEOUT_MS, { status: 'down', cause: 'no answer in time' }).unref();
  });
  try {
    return await Promise.race([Promise.resolve().then(probe), timeout]);
  } catch (error) {
    return { status: 'down', cause: error instanceof Error ? error.name : 'unknown error' };
  } finally {
    clearTimeout(timer);
  }
}
