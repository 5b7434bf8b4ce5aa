import { randomUUID } from 'node:crypto';
import { attemptAlert } from '../alerts/alert-webhook.ts';
import type { Settings } from '../config/settings.ts';
import { down, type Check, type CheckResult } from '../health/check.ts';
import { Mailer } from '../mail/mailer.service.ts';
import type { Mail } from '../mail/mails/mail.ts';
import type { DeliveryError } from '../outbox/failure.ts';
import { allRecipients } from '../submissions/recipients.ts';
import { checkOf, type Outside } from './outside-checks.ts';

/** Returns the trials: mails to each mailbox, an acknowledgement, and an alert, each as the worker sends it. */
export function trials(settings: Settings, outside: Outside): Check[] {
  const { ACKNOWLEDGE, ALERT_WEBHOOK_URL: alerts } = settings;
  const limit = { timeoutMs: outside.trialMs };
  return [
    checkOf('trial mails', () => trialMails(settings), limit),
    ...(ACKNOWLEDGE === 'on' ? [checkOf('trial acknowledgement', () => trialAcknowledgement(settings), limit)] : []),
    ...(alerts ? [checkOf('trial alert', () => trialAlert(settings, alerts, outside.answerMs))] : []),
  ];
}

/** Sends a mail to each mailbox, one after the other: some mail servers allow few connections. */
async function trialMails(settings: Settings): Promise<void> {
  for (const to of allRecipients(settings))
    await sendTrial(settings, { to }).catch(({ message, reply }: DeliveryError) => {
      const said = reply?.reply ? ` The mail server says: ${reply.reply.replaceAll('\n', ' ')}` : '';
      throw new Error(`to ${to}: ${message}${said}`);
    });
}

/** Sends a mail with an empty envelope sender, as acknowledgements do (RFC 3834). Some mail servers reject it. */
async function trialAcknowledgement(settings: Settings): Promise<CheckResult | void> {
  return sendTrial(settings, { to: settings.SALES_INBOX, autoSubmitted: 'auto-replied' }).catch(({ message }: Error) =>
    down(message, 'The mail server must accept an empty envelope sender (MAIL FROM:<>), or set ACKNOWLEDGE=off'),
  );
}

async function sendTrial(
  settings: Settings,
  { to, autoSubmitted = 'auto-generated' }: Pick<Mail, 'to' | 'autoSubmitted'>,
): Promise<void> {
  const requestId = randomUUID();
  const messageId = `<${requestId}@${new URL(settings.SITE_URL).hostname}>`;
  const text = 'This mailbox receives what visitors send by the forms of your website. There is nothing to do.';
  const mail = { to, subject: 'Trial mail of your website', messageId, requestId, text, html: `<p>${text}</p>` };
  await new Mailer(settings).send({ ...mail, autoSubmitted });
}

/** Posts an alert as the worker does, but only once. */
async function trialAlert(settings: Settings, url: string, timeoutMs: number): Promise<CheckResult | void> {
  const alert = {
    kind: 'trial',
    state: 'raised',
    text: 'A trial alert of your website. There is nothing to do.',
    at: Date.now(),
    instance: new URL(settings.SITE_URL).hostname,
    references: [],
    count: 0,
  } as const;
  const status = await attemptAlert(url, alert, { timeoutMs }).catch(({ name, cause }: Error) => {
    const { code = name } = (cause ?? {}) as NodeJS.ErrnoException;
    throw new Error(`ALERT_WEBHOOK_URL cannot be reached (${code}). Check its host, and the firewall`);
  });
  // A redirect is not followed.
  if (status >= 300)
    return down(`ALERT_WEBHOOK_URL answers ${status}`, 'Create the webhook again, and set its address');
}
