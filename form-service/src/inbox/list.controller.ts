import { Controller, Get, Inject, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
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
import { SUBMISSION_STATES, type Status } from '../submissions/submission.ts';
import { backOf, handledOf, InboxAccess, numberOf, type QueryParameters } from './inbox-access.service.ts';
import { InboxVisitsRepository } from './inbox-visits.repository.ts';
import { listAddress, listPage, markAllPage, withParameter } from './list-page.ts';
import { COUNT_MAX, DECISIONS, markableIn, PAGE_ROWS, pageOf, searchIn, WAITING } from './search.ts';

/** The list of `/inbox`, what a user marks in it, and its CSV. */
@Controller('inbox')
export class ListController {
  private readonly log = new Log('Inbox');
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
    const now = Date.now();
    const newSince = await this.visits.visit(user.name, now).catch((error: unknown) => {
      // A list that can be read is shown, also while the storage cannot be written.
      if (error instanceof StorageUnavailableError) return now;
      throw error;
    });
    const content = await pageOf(this.search, this.access.searchBy(query, response));
    const list = { ...scope, statuses: SUBMISSION_STATES, since: newSince + 1 };
    const at = numberOf(query['marked']);
    const marked = at === undefined ? undefined : await this.handling.countMarked(user.name, at, scope);
    const counted = content.waiting.length > 0 ? WAITING : [];
    const count = (status: Status) => this.search.count({ ...scope, statuses: [status] }, COUNT_MAX + 1);
    const page = listPage(this.access.frame(response), content, {
      timeZone: this.settings.TIME_ZONE,
      newSince,
      newCount: await this.search.count(list, COUNT_MAX + 1),
      marked: marked && { ...marked, at: at ?? 0 },
      isNothingChosen: query['marked'] === 'none',
      isSelected: query['select'] === 'all',
      decisions: await Promise.all(counted.map(count)),
      labels: await this.search.labels(scope, this.settings.INBOX_LABELS),
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
    const [search, as, at] = [this.access.searchBy(query, response), handledOf(query.as), Date.now()];
    const { length } = await markableIn(this.search, search, as, at);
    response.type('html').send(markAllPage(this.access.frame(response), search, as, at, length));
  }

  /** Marks all submissions of the filter that had arrived when the question was shown. */
  @Post('mark-all')
  async markFilter(@Req() request: Request, @Res() response: Response): Promise<void> {
    const fields = Object.fromEntries(await readForm(request));
    const [search, as] = [this.access.searchBy(fields, response), handledOf(fields['as'])];
    const ids = await markableIn(this.search, search, as, numberOf(fields['at']) ?? 0);
    const at = await this.actions.mark(ids, search.scope, as, userOf(response).name);
    this.showList(listAddress({ ...search, page: 1 }), at, response);
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
}
