import { Controller, Get, Inject, Post, Query, Req, Res } from '@nestjs/common';
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
import { BULK_MAX, bulkOf, chosenBy, handledOf, markAllPage } from './bulk-marks.ts';
import { InboxAccess, backOf, numberOf, type QueryParameters } from './inbox-access.service.ts';
import { InboxVisitsRepository } from './inbox-visits.repository.ts';
import { listAddress, listPage, withParameter } from './list-page.ts';
import { dayStarts } from './recent-days.ts';
import { COUNT_MAX, DECISIONS, isUnfiltered, PAGE_ROWS, pageOf, searchIn, WAITING } from './search.ts';

/** Time for which the numbers of the last days are kept. */
const DAYS_MS = 60_000;

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
    const newSince = await this.visit(user);
    const content = await pageOf(this.search, this.access.searchBy(query, response));
    const list = { ...scope, statuses: SUBMISSION_STATES, since: newSince + 1 };
    const at = numberOf(query['marked']);
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
    this.showList(back, at, response);
  }

  /** Asks before all submissions of a filter are marked. */
  @Get('mark-all')
  async askToMark(@Query() query: QueryParameters, @Res() response: Response): Promise<void> {
    const { TIME_ZONE: timeZone } = this.settings;
    const bulk = bulkOf(this.access.searchBy(query, response), query, Date.now());
    const chosen = await chosenBy(this.search, bulk, timeZone);
    response.type('html').send(markAllPage(this.access.frame(response), bulk, chosen, timeZone));
  }

  /** Marks all submissions of the filter that had arrived when the question was shown. */
  @Post('mark-all')
  async markFilter(@Req() request: Request, @Res() response: Response): Promise<void> {
    const fields = Object.fromEntries(await readForm(request));
    const bulk = bulkOf(this.access.searchBy(fields, response), fields, numberOf(fields['at']) ?? 0);
    const ids = (await chosenBy(this.search, bulk, this.settings.TIME_ZONE)).slice(0, BULK_MAX);
    const at = await this.actions.mark(ids, bulk.search.scope, bulk.as, userOf(response).name);
    this.showList(listAddress({ ...bulk.search, page: 1 }), at, response);
  }

  /** Undoes what the user has marked in a list. */
  @Post('undo')
  async undoAll(@Req() request: Request, @Res() response: Response): Promise<void> {
    const user = userOf(response);
    const form = await readForm(request);
    const at = numberOf(form.get('at'));
    if (at !== undefined) await this.handling.unmark(user.name, { at, scope: this.access.scopeOf(response) });
    response.redirect(303, backOf(form.get('back')));
  }

  /** Leads to a list that offers to undo the marks of a time. */
  private showList(address: string, at: number | undefined, response: Response): void {
    response.redirect(303, at === undefined ? address : withParameter(address, 'marked', String(at)));
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
