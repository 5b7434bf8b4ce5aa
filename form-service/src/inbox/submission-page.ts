import { applicationFields, contactFields, type FormField } from '../contract/fields.ts';
import { plainLabel, sizeText } from '../delivery/mails/wording.ts';
import type { FollowUp } from '../follow-ups/follow-ups.repository.ts';
import { html, type Html } from '../html.ts';
import { deletedAt, historyOf, type Submission } from '../submissions/submission.ts';
import { page, timeOf, type Frame } from './layout.ts';
import { stateBadge } from './list-page.ts';
import { historyWords, senderName, subjectOf, whyWaiting } from '../submissions/words.ts';

/** One submission: what to do about it, everything that was sent, and what happened since. */
export function submissionPage(
  frame: Omit<Frame, 'title'>,
  submission: Submission,
  followUps: readonly FollowUp[],
  timeZone: string,
): string {
  const name = senderName(submission);
  const happened = [
    ...historyOf(submission).map((event) => ({ at: Date.parse(event.at), words: historyWords(event) })),
    ...followUps.flatMap((one) => ({ at: one.stateSince, words: followUpWords(one) })),
  ].toSorted((a, b) => a.at - b.at);
  return page(
    { ...frame, title: `${name}: ${subjectOf(submission)}` },
    html`<div class="grid gap-2">
<p class="flex flex-wrap items-baseline gap-3 text-sm">${stateBadge(submission.state)}<span class="text-muted">${submission.id}, received ${timeOf(submission.receivedAt, timeZone)}</span></p>
<h1 class="text-2xl"><bdi>${name}</bdi></h1>
<p class="text-lg text-muted"><bdi>${subjectOf(submission)}</bdi></p>
</div>
${situation(submission, timeZone)}
${actions(submission)}
<section class="grid gap-4" aria-labelledby="fields">
<h2 id="fields" class="sr-only">What was sent</h2>
<dl class="grid gap-4">${fieldsOf(submission)}</dl>
</section>
<section class="grid gap-3" aria-labelledby="history">
<h2 id="history" class="text-xl">What happened</h2>
<ol class="grid gap-2 border-l-2 border-line pl-4">
<li><span class="text-sm text-muted">${timeOf(submission.receivedAt, timeZone)}</span> Received</li>
${happened.map(({ at, words }) => html`<li><span class="text-sm text-muted">${timeOf(at, timeZone)}</span> ${words}</li>`)}
</ol>
</section>
<section class="grid gap-3 border-t border-line pt-6" aria-labelledby="erase">
<h2 id="erase" class="text-xl">Erase</h2>
<p class="text-muted">Removes everything that was sent, for good. It cannot be undone.</p>
<p><a class="button button-quiet border-error text-error" href="/inbox/${submission.id}/erase">Erase this ${thing(submission)} …</a></p>
</section>`,
  );
}

/** The second look before an erasure. */
export function erasePage(frame: Omit<Frame, 'title'>, submission: Submission): string {
  const name = senderName(submission);
  const title = `Erase the ${thing(submission)} of ${name}?`;
  return page(
    { ...frame, title },
    html`<h1 class="text-2xl">Erase the ${thing(submission)} of <bdi>${name}</bdi>?</h1>
<p>All fields${submission.form === 'application' && ', the file'} and the history are removed for good. Mails that were already sent stay in their inboxes.</p>
<form class="flex flex-wrap gap-3" method="post" action="/inbox/${submission.id}/erase">
<a class="button button-quiet" href="/inbox/${submission.id}">Keep it</a>
<button class="button button-quiet border-error text-error">Erase for good</button>
</form>`,
  );
}

const thing = ({ form }: Submission) => (form === 'contact' ? 'enquiry' : 'application');

/** What the state means for the reader, and what happens next by itself. */
function situation(submission: Submission, timeZone: string): Html | false {
  const { state, lastError, nextAttemptAt } = submission;
  if (state === 'pending')
    return (
      nextAttemptAt > 0 &&
      html`<p class="notice">The mail did not get through yet. ${lastError ?? ''} The next try is at ${timeOf(nextAttemptAt, timeZone)}.</p>`
    );
  const advice =
    state === 'failed' ? 'Read it here, or send it again once the inbox works.' : 'Release it if it is meant for you.';
  return (
    state !== 'delivered' &&
    html`<div class="notice notice-error grid gap-1"><p>${whyWaiting(submission)}</p><p>${advice} Otherwise it is deleted on ${timeOf(deletedAt(submission), timeZone)}.</p></div>`
  );
}

function actions(submission: Submission): Html {
  const { id, state } = submission;
  const post = (action: string, words: string, kind = '') =>
    html`<form method="post" action="/inbox/${id}/${action}"><button class="button ${kind}">${words}</button></form>`;
  return html`<div class="flex flex-wrap gap-3">
${state === 'quarantined' && post('release', 'Release and send')}
${state === 'failed' && post('resend', 'Send again')}
${submission.form === 'application' && html`<a class="button button-quiet" href="/inbox/${id}/resume" download>Download the résumé</a>`}
${state === 'delivered' && post('resend', 'Send the mail again', 'button-quiet')}
</div>`;
}

function fieldsOf(submission: Submission): Html[] {
  const values: Readonly<Record<string, string>> = submission.fields;
  const fields: readonly FormField[] = submission.form === 'contact' ? contactFields : applicationFields;
  // A field that a newer form has is shown too, and one that an older form had.
  const names = new Set([...fields.map(({ name }) => name), ...Object.keys(values)]);
  return [...names].flatMap((name) => {
    const value = name === 'resume' && submission.form === 'application' ? fileWords(submission.resume) : values[name];
    return value
      ? [
          html`<div><dt class="text-sm">${plainLabel(fields.find((field) => field.name === name)?.label ?? name)}</dt><dd class="w-fit max-w-measure whitespace-pre-wrap" dir="auto">${value}</dd></div>`,
        ]
      : [];
  });
}

const fileWords = ({ name, size }: { readonly name: string; readonly size: number }) => `${name} (${sizeText(size)})`;

/** What became of what is sent beside the mail. */
function followUpWords({ kind, state, lastError }: FollowUp): string {
  const why = lastError ? `: ${lastError}` : '';
  if (kind === 'acknowledgement')
    return {
      pending: `The sender is told that it arrived once the mail is out${why}`,
      delivered: 'The sender was told that it arrived',
      failed: `The sender was not told that it arrived${why}`,
    }[state];
  return {
    pending: `The connected program does not have it yet${why}`,
    delivered: 'The connected program took it',
    failed: `The connected program did not take it${why}`,
  }[state];
}
