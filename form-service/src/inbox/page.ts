import { timeText } from '../html/format.ts';
import type { Status } from '../submissions/submission.ts';
import { STATUS_LABELS } from '../submissions/labels.ts';

const BADGES: Readonly<Record<Status, string>> = {
  pending: 'border-edge text-ink',
  delivered: 'border-edge text-muted',
  failed: 'border-error text-error',
  quarantined: 'border-edge text-ink',
  done: 'border-edge text-muted',
  spam: 'border-edge text-muted',
};

/** The view of a status: its words and its colours. */
export const statusView = (status: Status) => ({ status: STATUS_LABELS[status], badge: BADGES[status] });

/** The view of a time: in words, without its zone, and in ISO 8601. */
export function timeView(time: number, timeZone: string): { readonly words: string; readonly iso: string } {
  return { words: timeText(time, timeZone), iso: new Date(time).toISOString() };
}
