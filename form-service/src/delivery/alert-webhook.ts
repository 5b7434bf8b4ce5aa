import { setTimeout as pause } from 'node:timers/promises';

/** An alert for the webhook: references and words of ours, nothing that a visitor wrote. */
export interface AlertPost {
  readonly kind: string;
  readonly state: 'raised' | 'still true' | 'over';
  /** The sentence that people read. */
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly instance: string;
  /** The first references; `count` has their number. */
  readonly references: readonly string[];
  readonly count: number;
}

const TIMEOUT_MS = 5_000;

/** The pauses between two tries double up to the second value; all tries take about an hour. */
const PAUSE_FIRST_MS = 2_000;
const PAUSE_MAX_MS = 10 * 60_000;
const TRIES_MAX = 14;

/** After so many 4xx answers it is clear that the receiver will not take this alert. */
const REJECTIONS_MAX = 3;

/** Discord refuses more, and no other chat takes less. */
const TEXT_MAX_CHARS = 2_000;

/**
 * Posts an alert until the receiver takes it, for about an hour.
 *
 * @param signal ends the tries
 * @returns undefined when it was taken or the signal ended it, else the status of the last answer, 0 for none
 */
export async function postAlert(url: string, alert: AlertPost, signal: AbortSignal): Promise<number | undefined> {
  let status = 0;
  for (let tries = 1; tries <= TRIES_MAX && !signal.aborted; tries++) {
    status = await answerOf(url, bodyFor(new URL(url).hostname, alert), signal);
    if (status >= 200 && status < 300) return undefined;
    const isRejection = status >= 400 && status < 500 && status !== 408 && status !== 429;
    if (isRejection && tries >= REJECTIONS_MAX) return status;
    const pauseMs = Math.min(PAUSE_FIRST_MS * 2 ** (tries - 1), PAUSE_MAX_MS);
    await pause(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
  return signal.aborted ? undefined : status;
}

/**
 * The body of a post, in the form that the chat at this host takes. Google Chat and Slack refuse fields that they do
 * not know. Mattermost, which can have any host, and programs get fields beside the text.
 */
export function bodyFor(host: string, alert: AlertPost): object {
  const text = alert.text.length > TEXT_MAX_CHARS ? `${alert.text.slice(0, TEXT_MAX_CHARS - 1)}…` : alert.text;
  const isOf = (...domains: string[]) => domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
  if (isOf('discord.com', 'discordapp.com')) return { content: text };
  if (isOf('chat.googleapis.com', 'hooks.slack.com')) return { text };
  if (isOf('logic.azure.com', 'powerplatform.com', 'webhook.office.com')) return adaptiveCard(text);
  return { ...alert, text, at: new Date(alert.at).toISOString(), service: 'kitewright-forms' };
}

/** A message for Teams, whose workflows show nothing but cards. */
function adaptiveCard(text: string): object {
  const body = [{ type: 'TextBlock', text, wrap: true }];
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content: { ...content, body } }] };
}

/** The status of the answer, or 0 when there is none. */
async function answerOf(url: string, body: object, ended: AbortSignal): Promise<number> {
  const signal = AbortSignal.any([ended, AbortSignal.timeout(TIMEOUT_MS)]);
  const headers = { 'content-type': 'application/json' };
  try {
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal, redirect: 'error' });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return 0;
  }
}
