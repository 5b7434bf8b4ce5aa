import { Logger } from '@nestjs/common';
import type { Bucket, Listed } from './bucket.ts';
import type { Claims } from './claims.ts';
import { keys, readMarker } from './keys.ts';
import { isErased, type Records } from './records.ts';

/** Nobody is on the way from a marker to its record any more after so long: a signed request is refused after 15 minutes. */
const ABANDONED_MS = 3_600_000;

/** Least age of a marker that anybody looks at, in milliseconds. */
const LEAST_AGE_MS = 90_000;

/** Records looked at in one sweep. */
const LOOKS = 20;

/** Listed times may be whole seconds, in milliseconds. */
const CLOCK_GRAIN_MS = 2_000;

const STATES = ['pending', 'failed', 'quarantined'] as const;

/** Removes what crashes left. Each run does one task of several and lists one prefix, since each request is paid for. */
export class S3Sweep {
  private readonly log = new Logger('S3Sweep');
  private readonly tasks: readonly (() => Promise<void>)[];
  private readonly lastLooked = new Map<string, string>();
  private runs = 0;

  constructor(
    private readonly bucket: Bucket,
    private readonly records: Records,
    claims: Claims,
  ) {
    this.tasks = [() => claims.sweep(), () => this.endErasures(), () => this.removeChecks(), ...STATES.map((state) => () => this.removeMarkers(keys.markers(state)))];
  }

  async run(): Promise<void> {
    await this.tasks[this.runs++ % this.tasks.length]?.();
  }

  /** Whether a marker lists its record, for markers old enough to judge; what it lists wrongly is removed. */
  async isTrue({ key, modifiedAt }: Listed): Promise<boolean> {
    const marker = readMarker(key);
    const age = this.bucket.now() - modifiedAt;
    if (!marker || age < LEAST_AGE_MS) return marker !== undefined;
    const held = await this.records.read(marker.id);
    if (held?.content.marker === key) return true;
    // A record that was changed after the marker was made cannot come to be changed by who made the marker.
    const isOvertaken = held !== undefined && held.modifiedAt - modifiedAt > CLOCK_GRAIN_MS;
    if (!isOvertaken && (age < ABANDONED_MS || (await this.isUnreadable(marker.id)))) return true;
    const bytes = keys.resume(marker.id, marker.nonce);
    const isNamed = held !== undefined && (isErased(held) ? held.content.leftovers.includes(bytes) : held.content.resume === bytes);
    if (!isNamed) await this.bucket.remove(bytes);
    await this.bucket.remove(key);
    this.log.log({ event: 'left by a crash, removed', reference: marker.id });
    return false;
  }

  /** A walk through all markers of a state, some in each run. */
  private async removeMarkers(prefix: string): Promise<void> {
    let looked = 0;
    for await (const listed of this.bucket.list(prefix, this.lastLooked.get(prefix))) {
      if (this.bucket.now() - listed.modifiedAt < LEAST_AGE_MS) continue;
      this.lastLooked.set(prefix, listed.key);
      await this.isTrue(listed);
      if (++looked >= LOOKS) return;
    }
    this.lastLooked.delete(prefix);
  }

  private async endErasures(): Promise<void> {
    for await (const listed of this.bucket.list(keys.markers('erased'))) {
      const marker = readMarker(listed.key);
      if (!marker || this.bucket.now() - listed.modifiedAt < LEAST_AGE_MS) continue;
      if (await this.isTrue(listed)) await this.records.bury(marker.id);
    }
  }

  private async removeChecks(): Promise<void> {
    for await (const { key, modifiedAt } of this.bucket.list(keys.checks)) {
      if (this.bucket.now() - modifiedAt > ABANDONED_MS) await this.bucket.remove(key);
    }
  }

  /** There is a record, which this version cannot read: what belongs to it is left alone. */
  private async isUnreadable(id: string): Promise<boolean> {
    return (await this.records.read(id)) === undefined && (await this.bucket.get(keys.record(id))) !== undefined;
  }
}
