import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { Controller, Get, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { nounOf, valueOf } from '../contract/forms.ts';
import { startOfDay } from '../html/format.ts';
import { HttpError } from '../http/http-error.ts';
import { Log } from '../observability/log.ts';
import { NotificationsRepository } from '../outbox/notifications.repository.ts';
import { clearDraft, draftOf } from '../sign-in/drafts.service.ts';
import { readForm, textOf } from '../sign-in/form-body.ts';
import { userOf } from '../sign-in/login.middleware.ts';
import { messagePage, unsavedNotePage } from '../sign-in/page.ts';
import { ErasureService, remainderText } from '../submissions/erasure.service.ts';
import { HandlingRepository } from '../submissions/handling.repository.ts';
import { dayText } from '../submissions/labels.ts';
import { NOTE_MAX_CHARS } from '../submissions/notes.ts';
import { topicKey } from '../submissions/search-terms.ts';
import { allRecipients, mailboxesOf, type RecipientSettings } from '../submissions/recipients.ts';
import { FileStorage } from '../files/file-storage.ts';
import {
  ACTIONS,
  isPossible,
  sendingActionAt,
  SubmissionActions,
  type SendingAction,
  type SentOn,
} from '../submissions/submission-actions.service.ts';
import { isSubmissionId } from '../submissions/submission-id.ts';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import {
  hasPdf,
  historyOf,
  isVisible,
  labelsOf,
  STATUSES,
  takerOf,
  type Scope,
  type Submission,
} from '../submissions/submission.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { handledOf } from './bulk-marks.ts';
import { backOf, InboxAccess, nothing, timeOf, type QueryParameters } from './inbox-access.service.ts';
import { pageAddress, withParameter } from './list-page.ts';
import { neighboursIn } from './place-in-list.ts';
import {
  confirmErasurePage,
  DONE_AND_NEXT,
  handOverPage,
  OF_TOPIC_MAX,
  reminderDays,
  submissionPage,
  takeOverPage,
  type Draft,
} from './submission-page.ts';
import { serviceWords } from '../contract/service-words.ts';

const words = serviceWords('inbox');

/** A second click on a button comes within this time. */
const REPEATED_MS = 60_000;

/**
 * Policy of the page of a PDF: viewers bring styles of their own and embed the file. No `sandbox`, with which Safari shows
 * nothing.
 */
const VIEWER_POLICY =
  "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/** Within this time after "Done and next", the press of the button belongs to the page before: a key held, a double click. */
const HELD_KEY_MS = 500;
/** The page of a submission, and the actions on it. */
@Controller('inbox/:reference')
export class SubmissionController {
  private readonly log = new Log('Inbox');
  /** Erasures of the last minute by reference and user, so that a second click gets the page of the first. */
  private readonly erasures = new Map<string, Promise<string>>();

  constructor(
    @Inject(SETTINGS) private readonly settings: Pick<
      Settings,
      'TIME_ZONE' | 'RETENTION_DAYS' | 'DIGEST_AT' | 'INBOX_LABELS'
    > &
      RecipientSettings,
    private readonly access: InboxAccess,
    private readonly submissions: SubmissionsRepository,
    private readonly search: SubmissionSearchRepository,
    private readonly handling: HandlingRepository,
    private readonly actions: SubmissionActions,
    private readonly notifications: NotificationsRepository,
    private readonly files: FileStorage,
    private readonly erasure: ErasureService,
  ) {}

  @Get()
  async show(
    @Param('reference') reference: string,
    @Query() query: QueryParameters,
    @Res() response: Response,
  ): Promise<void> {
    const submission = await this.access.found(reference, response);
    const text = draftOf(response, submission.id);
    await this.showPage(submission, backOf(query.back), response, {
      ...(text !== undefined && { draft: { text } }),
      after: await this.access.visible(query.after, response),
    });
  }

  @Post('mark')
  async mark(@Param('reference') reference: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const submission = await this.access.found(reference, response);
    const { id } = submission;
    const form = await readForm(request);
    const back = backOf(form.get('back'));
    const isNext = form.get('as') === DONE_AND_NEXT;
    const shownMs = Math.abs(Date.now() - (timeOf(form.get('shown')) ?? 0));
    if (isNext && shownMs < HELD_KEY_MS)
      return response.redirect(303, withParameter(pageAddress(id, back), 'after', form.get('after') ?? ''));
    const handled = isNext ? 'done' : handledOf(form.get('as'));
    const at = await this.actions.mark([id], this.access.scopeOf(response), handled, userOf(response).name);
    if (at === undefined) throw changedMeanwhile();
    if (!isNext) return this.showAgain(id, form, response);
    const { older } = await neighboursIn(this.search, this.access.searchAt(back, response), submission);
    if (older !== undefined) return response.redirect(303, withParameter(pageAddress(older, back), 'after', id));
    response.redirect(303, withParameter(withParameter(back, 'marked', String(at)), 'end', 'yes'));
  }

  @Post('undo')
  async undo(@Param('reference') reference: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const { id } = await this.access.found(reference, response);
    await this.handling.unmark(userOf(response).name, { id });
    this.showAgain(id, await readForm(request), response);
  }

  /** Asks before a submission is taken over from a colleague. */
  @Get('take')
  async askToTake(
    @Param('reference') reference: string,
    @Query() query: QueryParameters,
    @Res() response: Response,
  ): Promise<void> {
    const submission = await this.access.found(reference, response);
    const [taker, back] = [takerOf(submission), backOf(query.back)];
    if (!taker || taker.by === userOf(response).name) return response.redirect(303, pageAddress(submission.id, back));
    const values = { taker, back, timeZone: this.settings.TIME_ZONE };
    response.type('html').send(takeOverPage(this.access.frame(response), submission, values));
  }

  /** Says that the user answers, or no longer. If a colleague was quicker, the user sees who, and is asked. */
  @Post('take')
  async take(@Param('reference') reference: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const submission = await this.access.found(reference, response);
    const { id } = submission;
    const by = userOf(response).name;
    const form = await readForm(request);
    const taker = takerOf(submission)?.by;
    const isTaken =
      form.get('as') === 'free'
        ? await this.handling.giveBack(id, by)
        : await this.handling.take(id, by, form.get('from') === taker ? taker : '');
    if (isTaken) return this.showAgain(id, form, response);
    response.redirect(303, pageAddress(id, backOf(form.get('back')), '/take'));
  }

  /** Adds the labels that the user has ticked, and removes those that the user has cleared. */
  @Post('label')
  async label(
    @Param('reference') reference: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const submission = await this.access.found(reference, response);
    const form = await readForm(request);
    const [ticked, had] = [form.getAll('label'), form.getAll('had')];
    const all = new Set([...this.settings.INBOX_LABELS, ...had]);
    if (!ticked.every((label) => all.has(label))) throw new HttpError('malformed', words.errors.labels);
    const { id } = submission;
    const by = userOf(response).name;
    const added = this.settings.INBOX_LABELS.filter((label) => ticked.includes(label) && !had.includes(label));
    const removed = labelsOf(submission).filter((label) => had.includes(label) && !ticked.includes(label));
    for (const label of added) await this.handling.label(id, label, true, by);
    for (const label of removed) await this.handling.label(id, label, false, by);
    this.showAgain(id, form, response);
  }

  /** Sets a reminder on a day, or without one removes it. */
  @Post('remind')
  async remind(
    @Param('reference') reference: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const submission = await this.access.found(reference, response);
    const form = await readForm(request);
    const on = form.get('on');
    const error = on === null ? undefined : this.reminderError(on, submission);
    if (error !== undefined) {
      response.status(422);
      return this.showPage(submission, backOf(form.get('back')), response, { reminderError: error });
    }
    const { id } = submission;
    const reminder = on === null ? undefined : { on, at: startOfDay(on, this.settings.TIME_ZONE) };
    const seen = timeOf(form.get('seen')) ?? null;
    const isStored = await this.handling.remind(id, reminder, seen, userOf(response).name);
    const latest = isStored ? undefined : await this.access.found(reference, response);
    // A second click finds what the first one has stored.
    if (latest && latest.remindAt !== (reminder?.at ?? null)) throw changedMeanwhile();
    this.showAgain(id, form, response);
  }

  @Post('note')
  async note(@Param('reference') reference: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const form = await readForm(request);
    const text = textOf(form, 'note');
    const submission = await this.access.visible(reference, response);
    if (!submission && text !== '') return this.showLostNote(text, response);
    if (!submission) throw nothing();
    const error = await this.addNote(submission.id, text, userOf(response).name);
    if (error === undefined) {
      if (draftOf(response, submission.id) !== undefined) clearDraft(request, response);
      return this.showAgain(submission.id, form, response);
    }
    response.status(422);
    await this.showPage(submission, backOf(form.get('back')), response, { draft: { text, error } });
  }

  /** Shows a note on a submission that a colleague has erased or handed over meanwhile. */
  private showLostNote(text: string, response: Response): void {
    const values = { why: nothing().message, text, href: '/inbox', link: words.frame.back };
    response
      .status(404)
      .type('html')
      .send(unsavedNotePage(this.access.frame(response), values));
  }

  /** Sends the mail to another configured mailbox. To one of another department only after a question. */
  @Post('send')
  async sendOn(
    @Param('reference') reference: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = await readForm(request);
    const submission = await this.access.visible(reference, response);
    if (!submission) {
      const sentTo = form.get('to') ?? '';
      if (await this.hasSent(reference, sentTo, response)) return this.showSent(sentTo, response);
      throw nothing();
    }
    const to = this.mailboxOf(form.get('to'));
    const why = reasonOf(form);
    const isOfForm = mailboxesOf(submission.form, this.settings).includes(to);
    if (!isOfForm && form.get('confirmed') !== to) {
      // The reason is in no address, because servers log these.
      const page = handOverPage(this.access.frame(response), submission, { to, why, back: backOf(form.get('back')) });
      return void response.status(200).type('html').send(page);
    }
    await this.act(submission, response, 'handOver', { to, text: why || undefined });
    if (isVisible({ ...submission, recipient: to }, this.access.scopeOf(response)))
      return this.showAgain(submission.id, form, response);
    this.showSent(to, response);
  }

  /** Whether the user has just sent a submission to this mailbox, so that this is the second click. */
  private async hasSent(reference: string, to: string, response: Response): Promise<boolean> {
    const sent = isSubmissionId(reference) ? await this.submissions.find(reference) : undefined;
    return sent !== undefined && isRepeated(sent, 'handOver', userOf(response).name, to);
  }

  private showSent(to: string, response: Response): void {
    const page = messagePage(this.access.frame(response), words.submission.sent({ mailbox: to }));
    response.status(200).type('html').send(page);
  }

  @Get('resume')
  async resume(
    @Param('reference') reference: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.sendFile(await this.access.found(reference, response), request, response);
  }

  /** Shows a PDF in the viewer of the browser, as a page of its own. */
  @Get('view')
  async view(@Param('reference') reference: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const submission = await this.access.found(reference, response);
    if (!hasPdf(submission)) throw nothing();
    await this.sendFile(submission, request, response, {
      'Content-Security-Policy': VIEWER_POLICY,
      'Accept-Ranges': 'none',
    });
  }

  /** Sends a file to save, or with the headers of a viewer to look at. The history gets both as a download. */
  private async sendFile(
    { id, resume }: Submission,
    { method }: Request,
    response: Response,
    viewer?: Readonly<Record<string, string>>,
  ): Promise<void> {
    if (!resume) throw nothing();
    const content = await this.files.open(resume);
    try {
      // A small damaged file is found before the response begins.
      if (method !== 'HEAD') await once(content, 'readable');
      // Express answers HEAD by this handler too, and then nothing is downloaded.
      if (method !== 'HEAD') await this.submissions.record(id, { event: 'downloaded', by: userOf(response).name });
      response.attachment(resume.name);
      const disposition = response.get('Content-Disposition') ?? '';
      if (viewer) response.set({ ...viewer, 'Content-Disposition': disposition.replace(/^attachment/, 'inline') });
      response.set({ 'Content-Type': resume.mediaType, 'Content-Length': String(resume.size) });
      if (method === 'HEAD') return void response.end();
      await pipeline(content, response);
    } catch (error) {
      // The client aborted the download; this is not an error.
      if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    } finally {
      content.destroy();
    }
  }

  @Get('erase')
  async askToErase(@Param('reference') reference: string, @Res() response: Response): Promise<void> {
    response
      .type('html')
      .send(confirmErasurePage(this.access.frame(response), await this.access.found(reference, response)));
  }

  @Post('erase')
  @HttpCode(200)
  async erase(@Param('reference') reference: string, @Res() response: Response): Promise<void> {
    const key = `${reference} ${userOf(response).name}`;
    const before = this.erasures.get(key);
    const sentence = before ?? this.eraseFound(reference, response);
    if (!before) {
      this.erasures.set(key, sentence);
      setTimeout(() => this.erasures.delete(key), REPEATED_MS).unref();
      sentence.catch(() => this.erasures.delete(key));
    }
    response.type('html').send(messagePage(this.access.frame(response), await sentence));
  }

  /** Releases a submission, or sends or posts it again. */
  @Post(':action')
  async again(
    @Param() { reference = '', action = '' }: Record<string, string>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const chosen = sendingActionAt(action);
    if (!chosen) throw nothing();
    const submission = await this.access.found(reference, response);
    const form = await readForm(request);
    await this.act(submission, response, chosen);
    this.showAgain(submission.id, form, response);
  }

  /**
   * Runs an action on a submission in one of its states. If two users act at once, one of them succeeds; the second click
   * of the same user is no error and changes nothing.
   */
  private async act(submission: Submission, response: Response, action: SendingAction, sentOn?: SentOn): Promise<void> {
    const { id, state } = submission;
    const to = sentOn?.to;
    const by = userOf(response).name;
    // A mail that has failed meanwhile may be sent again at once.
    if (state !== 'failed' && isRepeated(submission, action, by, to)) return;
    if (isPossible(action, submission)) {
      const { mails, posts } = await this.actions.send(action, [id], by, sentOn);
      if (mails.length + posts.length > 0) return;
    }
    const latest = await this.submissions.find(id);
    if (!latest || !isRepeated(latest, action, by, to)) throw changedMeanwhile();
  }

  /** Returns why there can be no reminder on this day. */
  private reminderError(on: string, submission: Submission): string | undefined {
    const { first, last } = reminderDays(submission, this.settings);
    if (Number.isNaN(startOfDay(on, this.settings.TIME_ZONE)) || on < first) return words.submission.reminderPast;
    return on > last
      ? words.submission.reminderTooLate({ day: dayText(last), noun: nounOf(submission.form) })
      : undefined;
  }

  /** Adds a note, unless it is empty. @returns why it cannot be added */
  private async addNote(id: string, text: string, by: string): Promise<string | undefined> {
    const length = [...text].length;
    if (length > NOTE_MAX_CHARS) return words.submission.noteTooLong({ length, max: NOTE_MAX_CHARS });
    if (length === 0 || (await this.handling.addNote(id, text, by))) return undefined;
    return words.submission.noteNoRoom;
  }

  /** @throws HttpError 400 unless the settings have this mailbox */
  private mailboxOf(value: unknown): string {
    const mailbox = allRecipients(this.settings).find((one) => one === value);
    if (!mailbox) throw new HttpError('malformed', words.errors.mailbox);
    return mailbox;
  }

  /**
   * Shows the page of a submission.
   *
   * @param shown a note or reminder that was not stored; the submission that the user may just have closed with "Done and
   * next"
   */
  private async showPage(
    submission: Submission,
    back: string,
    response: Response,
    {
      after,
      ...refused
    }: { readonly draft?: Draft; readonly reminderError?: string; readonly after?: Submission | undefined },
  ): Promise<void> {
    const scope = this.access.scopeOf(response);
    const page = submissionPage(this.access.frame(response), submission, {
      notifications: await this.notifications.of(submission.id),
      others: await this.search.countOthers(submission, scope),
      ofTopic: await this.countOfTopic(submission, scope),
      ...(await neighboursIn(this.search, this.access.searchAt(back, response), submission)),
      after: after?.handled === 'done' && after.handledBy === userOf(response).name ? after : undefined,
      back,
      settings: this.settings,
      ...refused,
    });
    response.type('html').send(page);
  }

  /** Counts other submissions with the same service or position, up to a limit. */
  private async countOfTopic({ form, ...rest }: Submission, scope: Scope): Promise<number> {
    const name = valueOf({ form, ...rest }, 'topic');
    if (name === '') return 0;
    const forms = scope.forms.filter((one) => one === form);
    return (
      (await this.search.count({ ...scope, forms, statuses: STATUSES, topic: topicKey(name) }, OF_TOPIC_MAX + 1)) - 1
    );
  }

  /** Erases a submission. @returns the result in a sentence, the same as the command's */
  private async eraseFound(reference: string, response: Response): Promise<string> {
    const { id } = await this.access.found(reference, response);
    const by = userOf(response).name;
    const erased = await this.submissions.erase([id]);
    if (erased.length === 0) throw new HttpError('conflict', words.errors.beingSent);
    this.log.log({ event: 'erased', reference: id, by });
    const remainder = await this.erasure.cleanUp();
    // A user may not see the references of other erasures.
    const text = remainderText({ ...remainder, files: remainder.files.filter((one) => one === id) });
    return text ? words.submission.erasedPartly({ why: text }) : words.submission.erased;
  }

  /** Leads to the page of a submission, which leads back to the list that it was opened from. */
  private showAgain(id: string, form: URLSearchParams, response: Response): void {
    response.redirect(303, pageAddress(id, backOf(form.get('back'))));
  }
}

/** The reason that a user gives for sending a submission on, in one line. @throws HttpError 400 */
function reasonOf(form: URLSearchParams): string {
  const reason = textOf(form, 'why').replace(/\s+/g, ' ');
  if ([...reason].length <= NOTE_MAX_CHARS) return reason;
  throw new HttpError('malformed', words.errors.reasonTooLong({ max: NOTE_MAX_CHARS }));
}

/** Whether the latest action of a person was this one, by the same user, less than a minute ago. */
function isRepeated(submission: Submission, action: SendingAction, by: string, to?: string): boolean {
  const last = historyOf(submission).findLast((event) => event.by !== undefined && event.event !== 'downloaded');
  const isSame = last?.event === ACTIONS[action].event && last.to === to && last.by === by;
  return isSame && Date.now() - Date.parse(last.at) < REPEATED_MS;
}

const changedMeanwhile = () => new HttpError('conflict', words.errors.changed);
