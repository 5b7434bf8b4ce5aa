import { Controller, Get, HttpCode, Inject, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { InboxUser } from '../config/inbox-users.ts';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { withAuditLog, writeCsv } from '../export/submission-table.ts';
import { dateText } from '../html/format.ts';
import { Log } from '../observability/log.ts';
import { readForm } from '../sign-in/form-body.ts';
import { userOf } from '../sign-in/login.middleware.ts';
import { HandlingRepository } from '../submissions/handling.repository.ts';
import { SubmissionActions } from '../submissions/submission-actions.service.ts';
import { isSubmissionId } from '../submissions/submission-id.ts';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import { SUBMISSION_STATES, type DayCounts, type Scope } from '../submissions/submission.ts';
import { bulkOf, chosenBy, handledOf, markAllPage, type Bulk } from './bulk-marks.ts';
import { InboxAccess, backOf, timeOf, type QueryParameters } from './inbox-access.service.ts';
import { InboxVisitsRepository } from './inbox-visits.repository.ts';
import { listAddress, listPage, withParameter } from './list-page.ts';
import { rowAddress } from './place-in-list.ts';
import { dayStarts } from './recent-days.ts';
import { COUNT_MAX, DECISIONS, isUnfiltered, PAGE_ROWS, pageOf, searchIn, WAITING } from './search.ts';

/** Time for which the numbers of the last days are kept. */
const DAYS_MS = 60_000;

/** Time after which a question is asked again, because its time becomes that of the marks. */
const QUESTION_MS = 3_600_000;

/** The list of `/inbox`, what a user marks in it, and its CSV. */
@Controller('inbox')
export class ListController {
  private readonly log = new Log('Inbox');
  /** Numbers of the last days, by role. */
  private readonly days = new Map<string, { readonly at: number; readonly days: Promise<readonly DayCounts[]> }>();

  constructor(
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'TIME_ZONE' | 'INBOX_LABELS'>,
    private readonly access: InboxAccess,
    private readonly search: SubmissionSearchRepository,
    private readonly handling: HandlingRepository,
    private readonly visits: InboxVisitsRepository,
    private readonly actions: SubmissionActions,
  ) {}

  @Get()
  async list(@Query() query: QueryParameters, @Res() response: Response): Promise<void> {
    const user = userOf(response);
    const scope = this.access.scopeOf(response);
    const from = await this.access.visible(query.from, response);
    if (from) return response.redirect(303, await rowAddress(this.search, this.access.searchBy(query, response), from));
    const newSince = await this.visit(user);
    const content = await pageOf(this.search, this.access.searchBy(query, response));
    const list = { ...scope, statuses: SUBMISSION_STATES, since: newSince + 1 };
    const at = timeOf(query['marked']);
    const marked = at === undefined ? undefined : await this.handling.countMarked(user.name, at, scope);
    const isFirst = isUnfiltered(content.search) && content.search.page === 1;
    const decisions: number[] = [];
    if (content.waiting.length > 0)
      for (const one of WAITING) decisions.push(await this.search.count({ ...scope, statuses: [one] }, COUNT_MAX + 1));
    const page = listPage(this.access.frame(response), content, {
      timeZone: this.settings.TIME_ZONE,
      newSince,
      newCount: await this.search.count(list, COUNT_MAX + 1),
      marked: marked && { ...marked, at: at ?? 0 },
      isEnd: query.end !== undefined,
      isNothingChosen: query['marked'] === 'none',
      isSelected: query['select'] === 'all',
      decisions,
      labels: await this.search.labels(scope, this.settings.INBOX_LABELS),
      days: isFirst ? await this.recentDays(user.role, scope) : [],
    });
    response.type('html').send(page);
  }

  /** The whole list, in the columns of `submissions export`. HEAD exports nothing. */
  @Get('export.csv')
  async csv(@Query() query: QueryParameters, @Req() { method }: Request, @Res() response: Response): Promise<void> {
    const user = userOf(response);
    response.attachment(`inbox-${user.role}-${dateText(Date.now(), this.settings.TIME_ZONE)}.csv`);
    if (method === 'HEAD') return void response.end();
    const found = searchIn(this.search, this.access.searchBy(query, response));
    const log = (references: readonly string[]) =>
      this.log.log({ event: 'exported', by: user.name, count: references.length, references });
    await writeCsv(withAuditLog(found, this.search.pageRows, log), response);
  }

  /** Marks the chosen submissions of a list. The list that follows offers to undo it. */
  @Post('mark')
  async markAll(@Req() request: Request, @Res() response: Response): Promise<void> {
    const user = userOf(response);
    const form = await readForm(request);
    const ids = form
      .getAll('id')
      .filter(isSubmissionId)
      .slice(0, PAGE_ROWS + DECISIONS);
    const as = handledOf(form.get('as'));
    const back = backOf(form.get('back'));
    // The fragment puts the focus on the sentence that says so.
    if (ids.length === 0) return response.redirect(303, `${withParameter(back, 'marked', 'none')}#choice`);
    const at = await this.actions.mark(ids, this.access.scopeOf(response), as, user.name);
    response.redirect(303, at === undefined ? back : withParameter(back, 'marked', String(at)));
  }

  /** Asks before all submissions of a filter are marked. */
  @Get('mark-all')
  async askToMark(@Query() query: QueryParameters, @Res() response: Response): Promise<void> {
    await this.showQuestion(bulkOf(this.access.searchBy(query, response), query, Date.now()), response);
  }

  /** Marks all submissions that the question was about. If the list has changed since, it asks again. */
  @Post('mark-all')
  @HttpCode(200)
  async markFilter(@Req() request: Request, @Res() response: Response): Promise<void> {
    const fields = Object.fromEntries(await readForm(request));
    const at = timeOf(fields['at']) ?? 0;
    const bulk = bulkOf(this.access.searchBy(fields, response), fields, at);
    const { ids, digest } = await chosenBy(this.search, bulk, this.settings.TIME_ZONE);
    const isCurrent = at <= Date.now() && at > Date.now() - QUESTION_MS;
    // The second of two clicks finds nothing, and gets the list with its undo.
    if (ids.length > 0 && (digest !== fields['of'] || !isCurrent))
      return this.showQuestion({ ...bulk, at: Date.now() }, response, true);
    await this.actions.mark(ids, bulk.search.scope, bulk.as, userOf(response).name, at);
    response.redirect(303, withParameter(listAddress(bulk.search), 'marked', String(at)));
  }

  /** Undoes what the user has marked in a list. */
  @Post('undo')
  async undoAll(@Req() request: Request, @Res() response: Response): Promise<void> {
    const user = userOf(response);
    const form = await readForm(request);
    const at = timeOf(form.get('at'));
    if (at !== undefined) await this.handling.unmark(user.name, { at, scope: this.access.scopeOf(response) });
    response.redirect(303, backOf(form.get('back')));
  }

  private async showQuestion(bulk: Bulk, response: Response, isChanged = false): Promise<void> {
    const { TIME_ZONE: timeZone } = this.settings;
    const chosen = await chosenBy(this.search, bulk, timeZone);
    response.type('html').send(markAllPage(this.access.frame(response), bulk, chosen, { timeZone, isChanged }));
  }

  /** Numbers of the last days for a role, at most a minute old. */
  private recentDays(role: string, scope: Scope): Promise<readonly DayCounts[]> {
    const known = this.days.get(role);
    if (known && Date.now() - known.at < DAYS_MS) return known.days;
    const days = this.search.countByDay(scope, dayStarts(this.settings.TIME_ZONE));
    this.days.set(role, { at: Date.now(), days });
    days.catch(() => this.days.delete(role));
    return days;
  }

  /**
   * Stores a visit.
   *
   * @returns the end of the previous visit, or the current time if the storage is read-only
   */
  private async visit({ name }: InboxUser): Promise<number> {
    const now = Date.now();
    try {
      return await this.visits.visit(name, now);
    } catch (error) {
      if (error instanceof StorageUnavailableError) return now;
      throw error;
    }
  }
}
