import { randomUUID } from 'node:crypto';
import { attemptAlert } from '../alerts/alert-webhook.ts';
import type { Settings } from '../config/settings.ts';
import { down, type CheckResult } from '../health/check.ts';
import { Mailer } from '../mail/mailer.service.ts';
import type { Mail } from '../mail/mails/mail.ts';
import type { DeliveryError } from '../outbox/failure.ts';
import { allRecipients } from '../submissions/recipients.ts';

/**
 * Sends a mail to each mailbox as the worker does, and then one like an acknowledgement, with an empty envelope sender
 * (RFC 3834). Some mail servers reject that, and some allow few connections, so the mails are sent one after the other.
 */
export async function sendTrialMails(settings: Settings): Promise<void> {
  for (const to of allRecipients(settings)) await sendTrialMail(settings, { to }, `to ${to}`);
  const acknowledgement = { to: settings.SALES_INBOX, autoSubmitted: 'auto-replied' } as const;
  if (settings.ACKNOWLEDGE === 'on')
    await sendTrialMail(settings, acknowledgement, 'acknowledgement with an empty envelope sender (MAIL FROM:<>)');
}

async function sendTrialMail(
  settings: Settings,
  { to, autoSubmitted = 'auto-generated' }: Pick<Mail, 'to' | 'autoSubmitted'>,
  about: string,
): Promise<void> {
  const requestId = randomUUID();
  const messageId = `<${requestId}@${new URL(settings.SITE_URL).hostname}>`;
  const text = 'This mailbox receives what visitors send by the forms of your website. There is nothing to do.';
  const mail = { to, subject: 'Trial mail of your website', messageId, requestId, text, html: `<p>${text}</p>` };
  await new Mailer(settings).send({ ...mail, autoSubmitted }).catch(({ message, reply }: DeliveryError) => {
    const said = reply?.reply ? ` The mail server says: ${reply.reply.replaceAll('\n', ' ')}` : '';
    throw new Error(`${about}: ${message}${said}`);
  });
}

/** Posts an alert as the worker does, but only once. */
export async function sendTrialAlert(settings: Settings, timeoutMs: number): Promise<CheckResult | void> {
  const alert = {
    kind: 'trial',
    state: 'raised',
    text: 'A trial alert of your website. There is nothing to do.',
    at: Date.now(),
    instance: new URL(settings.SITE_URL).hostname,
    references: [],
    count: 0,
  } as const;
  const url = settings.ALERT_WEBHOOK_URL ?? '';
  const status = await attemptAlert(url, alert, { timeoutMs }).catch(({ name, cause }: Error) => {
    const { code = name } = (cause ?? {}) as NodeJS.ErrnoException;
    throw new Error(`ALERT_WEBHOOK_URL cannot be reached (${code}). Check its host, and the firewall`);
  });
  // A redirect is not followed.
  if (status >= 300)
    return down(`ALERT_WEBHOOK_URL answers ${status}`, 'Create the webhook again, and set its address');
}
