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

/** Looks at everything that waits. A pending record is read once, however often it is looked at. */
@Injectable()
export class Backlog {
  private known = new Map<string, number>();

  constructor(@Inject(SubmissionStore) private readonly store: SubmissionStore) {}

  /** Damaged records are set aside by the store as they are read, and so are not in the view. */
  async view(): Promise<BacklogView> {
    const pending = new Map<string, number>();
    for await (const ids of batches(this.store.ids('pending'))) {
      const times = await Promise.all(ids.map((id) => this.known.get(id) ?? this.pendingSince(id)));
      for (const [index, id] of ids.entries()) {
        const since = times[index];
        if (since !== undefined) pending.set(id, since);
      }
    }
    this.known = pending;
    return { pending, failed: await collect(this.store.ids('failed')), quarantined: await collect(this.store.ids('quarantined')) };
  }

  private async pendingSince(id: string): Promise<number | undefined> {
    const found = await this.store.find(id);
    if (found?.state !== 'pending') return undefined;
    return Date.parse(found.submission.delivery.requeuedAt ?? found.submission.receivedAt);
  }
}

async function collect(ids: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const id of ids) all.push(id);
  return all;
}
