import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE_MS } from '../settings/durations.ts';
import { USER_AGENT } from '../settings/version.ts';

/** Alert as posted to the webhook. It contains references, our text and the mail server's words. */
export interface AlertPost {
  readonly kind: string;
  readonly state: 'raised' | 'still true' | 'over';
  /** Message for people. */
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Host of the site, which tells installations apart. */
  readonly instance: string;
  /** First references; `count` is the number of all. */
  readonly references: readonly string[];
  readonly count: number;
}

const ALERT_TIMEOUT_MS = 5_000;

/** Maximum number of attempts, within about an hour. */
export const ATTEMPTS_MAX = 12;

/** Pause after the first attempt, which doubles with each, and the longest one. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [2_000, 15 * MINUTE_MS] as const;

/** Maximum of Discord, the lowest of all chats. */
const TEXT_MAX_CHARS = 2_000;

/**
 * Posts an alert until the receiver accepts it, for about an hour.
 *
 * @param signal ends the attempts
 * @returns undefined if the receiver accepted it or the signal ended it, otherwise the last status, or 0 without one
 */
export async function postAlert(
  url: string,
  alert: AlertPost,
  signal: AbortSignal,
  firstPauseMs: number = FIRST_PAUSE_MS,
): Promise<number | undefined> {
  let status = 0;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX && !signal.aborted; attempt++) {
    status = await attemptAlert(url, alert, signal).catch(() => 0);
    if (status >= 200 && status < 300) return undefined;
    const pauseMs = Math.min(firstPauseMs * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
    await pause(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
  return signal.aborted ? undefined : status;
}

/** Posts an alert once. @returns the status of the response. Rejects if there is none. */
export const attemptAlert = (url: string, alert: AlertPost, signal?: AbortSignal): Promise<number> => {
  const body = JSON.stringify(bodyFor(new URL(url).hostname, alert));
  return postJson(url, body, AbortSignal.any([...(signal ? [signal] : []), AbortSignal.timeout(ALERT_TIMEOUT_MS)]));
};

/**
 * Posts JSON. A redirect is not followed, because `fetch` would turn the POST into a GET.
 *
 * @returns the status of the response. Rejects if there is none.
 */
export async function postJson(
  url: string,
  body: string,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'user-agent': USER_AGENT },
    body,
    signal,
    redirect: 'manual',
  });
  await answer.body?.cancel();
  return answer.status;
}

/**
 * Returns the body of a post in the format of the chat at this host. Google Chat and Slack reject unknown fields. All
 * other hosts, such as Mattermost and your programs, get the fields of the alert in addition to the text.
 */
export function bodyFor(host: string, alert: AlertPost): object {
  const text = alert.text.length > TEXT_MAX_CHARS ? `${alert.text.slice(0, TEXT_MAX_CHARS - 1)}…` : alert.text;
  const isOf = (...domains: string[]) => domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
  if (isOf('discord.com', 'discordapp.com')) return { content: text };
  if (isOf('chat.googleapis.com', 'hooks.slack.com')) return { text };
  if (isOf('logic.azure.com', 'powerplatform.com', 'webhook.office.com')) return adaptiveCard(text);
  return { ...alert, text, at: new Date(alert.at).toISOString(), service: 'kitewright-forms' };
}

/** Returns a message for Teams, whose workflows only show cards. */
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
