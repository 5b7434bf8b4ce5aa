import { Controller, Get, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { labelsFor } from '../settings/formats.ts';
import { SETTINGS } from '../settings/settings.ts';
import { serviceWords } from '../contract/service-words.ts';
import { startOfDay } from '../html/format.ts';
import { HttpError } from '../http/http-error.ts';
import { Log } from '../observability/log.ts';
import { NotificationsRepository } from '../outbox/notifications.repository.ts';
import { readForm, textOf } from '../sign-in/request.ts';
import { userOf } from '../sign-in/login.middleware.ts';
import { messagePage, unsavedNotePage } from '../sign-in/page.ts';
import { ErasureService } from '../submissions/erasure.service.ts';
import { HandlingRepository } from '../submissions/handling.repository.ts';
import { NOTE_MAX_CHARS, type Submission } from '../submissions/submission.ts';
import { allRecipients, mailboxesOf } from '../submissions/recipients.ts';
import { actionAt, SubmissionActions } from '../submissions/submission-actions.service.ts';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { backOf, handledOf, InboxAccess, nothing, numberOf, type QueryParameters } from './inbox-access.service.ts';
import { pageAddress, withParameter, type Marks } from './list-page.ts';
import { neighboursOf, pageOf, type Search } from './search.ts';
import { reminderDays, submissionPage, type PageSettings } from './submission-page.ts';

const words = serviceWords('inbox');

/** A form of a submission's page that a user has sent. */
interface Press {
  readonly submission: Submission;
  readonly form: URLSearchParams;
  readonly by: string;
  /** Version that the page showed. */
  readonly version: number;
  /** Address of the list that the page was opened from. */
  readonly back: string;
}

/** Makes a change. Returns false if the submission has changed meanwhile. */
type Change = (press: Press) => Promise<boolean>;

/**
 * The page of a submission, and what staff do there. Each form carries the version that its page showed. If it is outdated,
 * the page is shown again in place of the change, unless this is the second press of the same button.
 */
@Controller('inbox/:reference')
export class SubmissionController {
  private readonly log = new Log('Inbox');

  /** Changes by the last part of their addresses. */
  private readonly changes = new Map<string, Change>(
    Object.entries<Change>({
      /** Sets a reminder on a day, or without one removes it. */
      remind: ({ submission, form, by, version }) => {
        const on = form.get('on');
        const reminder = on === null ? undefined : { on, at: startOfDay(on, this.settings.TIME_ZONE) };
        const { first, last } = reminderDays(submission, this.settings);
        if (reminder && !(reminder.at >= 0 && reminder.on >= first && reminder.on <= last))
          throw new HttpError('malformed', words.errors.day);
        return this.handling.remind(submission.id, reminder, by, version);
      },
      undo: async ({ submission: { id }, by, version }) => {
        const undone = await this.handling.unmark(by, { id, version });
        return undone.length > 0 || this.handling.isRepeated(id, { event: 'reopened', by });
      },
      /** Says that the user answers, also in place of a colleague, or no longer. */
      take: ({ submission: { id }, form, by, version }) =>
        this.handling[form.get('as') === 'free' ? 'giveBack' : 'take'](id, by, version),
      /** Adds a label, or removes it. One that has left the settings can only be removed. */
      label: ({ submission, form, by, version }) => {
        const [added, removed] = [form.get('add'), form.get('remove')];
        const known = labelsFor(submission.form, this.settings.INBOX_LABELS);
        if (added !== null && !known.includes(added)) throw new HttpError('malformed', words.errors.labels);
        return this.handling.label(submission, added ?? removed ?? '', added !== null, by, version);
      },
    }),
  );

  constructor(
    @Inject(SETTINGS) private readonly settings: PageSettings,
    private readonly access: InboxAccess,
    private readonly submissions: SubmissionsRepository,
    private readonly search: SubmissionSearchRepository,
    private readonly handling: HandlingRepository,
    private readonly actions: SubmissionActions,
    private readonly notifications: NotificationsRepository,
    private readonly erasure: ErasureService,
  ) {}

  @Get()
  async show(
    @Param('reference') reference: string,
    @Query() query: QueryParameters,
    @Res() response: Response,
  ): Promise<void> {
    const submission = await this.access.found(reference, response);
    await this.showPage(submission, backOf(query.back), response, {
      marked: await this.access.marksBy(query, response),
    });
  }

  /** Marks a submission, and leads to the next one of the list, or to the list. Both offer to undo it. */
  @Post('mark')
  async mark(@Req() request: Request, @Res() response: Response): Promise<void> {
    const press = await this.press(request, response);
    const { submission, form, by, version, back } = press;
    const as = handledOf(form.get('as'));
    const { older } = await this.neighbours(submission, this.searchOf(back, response));
    const at = await this.actions.mark([submission.id], this.access.scopeOf(response), as, by, version);
    if (at === undefined) return this.answer(press, response, false);
    response.redirect(303, withParameter(older ? pageAddress(older.id, back) : back, 'marked', String(at)));
  }

  /** A note that is not stored is shown for copying: one that is too long, or of an older page. */
  @Post('note')
  async note(@Req() request: Request, @Res() response: Response): Promise<void> {
    const press = await this.press(request, response);
    const { submission, form, by, version, back } = press;
    const text = textOf(form, 'note');
    const [length, max] = [[...text].length, NOTE_MAX_CHARS];
    const isStored = length <= max && (text === '' || (await this.handling.addNote(submission.id, text, by, version)));
    if (isStored) return this.answer(press, response, true);
    const why = length > max ? words.submission.noteTooLong({ length, max }) : words.errors.changed;
    const href = `${pageAddress(submission.id, back)}#note`;
    const page = unsavedNotePage(this.access.frame(response), { why, text, href, link: words.submission.newNote });
    response.status(409).type('html').send(page);
  }

  /** Sends the mail to another configured mailbox. One of another department needs a tick, since a mail cannot be called back. */
  @Post('send')
  async sendOn(@Req() request: Request, @Res() response: Response): Promise<void> {
    const press = await this.press(request, response);
    const { submission, form, by, version } = press;
    const to = allRecipients(this.settings).find((one) => one === form.get('to'));
    if (!to) throw new HttpError('malformed', words.errors.mailbox);
    const isOfForm = mailboxesOf(submission.form, this.settings).includes(to);
    if (!isOfForm && form.get('confirmed') !== 'yes') throw new HttpError('malformed', words.errors.confirm);
    const isSent = await this.actions.run('handOver', submission, { by, version, to });
    if (!isSent || (await this.submissions.find(submission.id, this.access.scopeOf(response))))
      return this.answer(press, response, isSent);
    this.showSentence(words.submission.sent({ mailbox: to }), response);
  }

  /** Erases a submission, unless it is being sent. */
  @Post('erase')
  @HttpCode(200)
  async erase(@Req() request: Request, @Res() response: Response): Promise<void> {
    const press = await this.press(request, response);
    const { id } = press.submission;
    if (press.version !== press.submission.version) return this.answer(press, response, false);
    const erased = await this.submissions.erase([id]);
    if (erased.length === 0) throw new HttpError('conflict', words.errors.beingSent);
    this.log.log({ event: 'erased', reference: id, by: press.by });
    // The worker retries what cannot be removed now.
    await this.erasure.cleanUp();
    this.showSentence(words.submission.erased, response);
  }

  /** Makes a change that leads back to the page. */
  @Post(':action')
  async change(@Param('action') name: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const action = actionAt(name);
    const change = action
      ? ({ submission, by, version }: Press) => this.actions.run(action, submission, { by, version })
      : this.changes.get(name);
    if (!change) throw nothing();
    const press = await this.press(request, response);
    await this.answer(press, response, await change(press));
  }

  /** Reads a form of a submission's page. @throws HttpError 404 */
  private async press(request: Request, response: Response): Promise<Press> {
    const submission = await this.access.found(request.params['reference'], response);
    const form = await readForm(request);
    const [by, version] = [userOf(response).name, numberOf(form.get('version')) ?? -1];
    return { submission, form, by, version, back: backOf(form.get('back')) };
  }

  /** Leads back to the page after a change, or shows it as it is now. */
  private async answer({ submission: { id }, back }: Press, response: Response, isDone: boolean): Promise<void> {
    if (isDone) return response.redirect(303, pageAddress(id, back));
    const latest = await this.access.found(id, response);
    await this.showPage(latest, back, response.status(409), { isChanged: true });
  }

  private async showPage(
    submission: Submission,
    back: string,
    response: Response,
    { isChanged = false, marked }: { readonly isChanged?: boolean; readonly marked?: Marks | undefined },
  ): Promise<void> {
    const search = this.searchOf(back, response);
    const page = submissionPage(this.access.frame(response), submission, {
      notifications: await this.notifications.of(submission.id),
      others: await this.search.countOthers(submission, this.access.scopeOf(response)),
      search,
      neighbours: await this.neighbours(submission, search),
      settings: this.settings,
      isChanged,
      marked,
    });
    response.type('html').send(page);
  }

  private searchOf(list: string, response: Response): Search {
    return this.access.searchBy(Object.fromEntries(new URL(list, 'http://inbox').searchParams), response);
  }

  private async neighbours({ id }: Submission, search: Search) {
    return neighboursOf(await pageOf(this.search, search), id);
  }

  private showSentence(sentence: string, response: Response): void {
    response.status(200);
    response.type('html').send(messagePage(this.access.frame(response), sentence));
  }
}
