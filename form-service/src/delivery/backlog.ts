import { Inject, Injectable } from '@nestjs/common';
import { batches } from '../storage/batches.ts';
import { SubmissionStore } from '../storage/submission-store.ts';

/** What is in the store and not delivered. */
export interface BacklogView {
  /** Milliseconds since the epoch by id: since when each pending submission has been pending. */
  readonly pending: ReadonlyMap<string, number>;
  readonly failed: readonly string[];
  readonly quarantined: readonly string[];
}

/** Looks at everything that waits. A pending record is read once at most, however often it is looked at. */
@Injectable()
export class Backlog {
  private readonly known = new Map<string, number>();
  private looking: Promise<BacklogView> | undefined;

  constructor(@Inject(SubmissionStore) private readonly store: SubmissionStore) {}

  /** Damaged records are set aside by the store as they are read, and so are not in the view. Who asks meanwhile shares a look. */
  view(): Promise<BacklogView> {
    this.looking ??= this.look().finally(() => (this.looking = undefined));
    return this.looking;
  }

  private async look(): Promise<BacklogView> {
    const pending = new Map<string, number>();
    for await (const listed of batches(this.store.waiting())) {
      const times = await Promise.all(listed.map(({ id, since }) => since ?? this.known.get(id) ?? this.pendingSince(id)));
      for (const [index, { id }] of listed.entries()) {
        const since = times[index];
        if (since !== undefined) pending.set(id, since);
      }
    }
    for (const id of this.known.keys()) if (!pending.has(id)) this.known.delete(id);
    return { pending, failed: await collect(this.store.ids('failed')), quarantined: await collect(this.store.ids('quarantined')) };
  }

  private async pendingSince(id: string): Promise<number | undefined> {
    const found = await this.store.find(id);
    if (found?.state !== 'pending') return undefined;
    const since = Date.parse(found.submission.delivery.requeuedAt ?? found.submission.receivedAt);
    this.known.set(id, since);
    return since;
  }
}

async function collect(ids: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const id of ids) all.push(id);
  return all;
}
