import { Controller, Get, Inject, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { labelsFor } from '../settings/formats.ts';
import { SETTINGS, type Settings } from '../settings/settings.ts';
import { withAuditLog, writeCsv } from '../export/submission-table.ts';
import { serviceWords } from '../contract/service-words.ts';
import { dateText } from '../html/format.ts';
import { HttpError } from '../http/http-error.ts';
import { Log } from '../observability/log.ts';
import { readForm } from '../sign-in/request.ts';
import { userOf } from '../sign-in/login.middleware.ts';
import { HandlingRepository } from '../submissions/handling.repository.ts';
import { SubmissionActions } from '../submissions/submission-actions.service.ts';
import { formsIn } from '../submissions/scope.ts';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import { isSubmissionId } from '../submissions/submission.ts';
import { backOf, handledOf, InboxAccess, numberOf, type QueryParameters } from './inbox-access.service.ts';
import { listPage, withParameter } from './list-page.ts';
import { countTabs, DECISIONS, PAGE_ROWS, pageOf, searchIn } from './search.ts';

/** The list of `/inbox`, what a user marks in it, and its CSV. */
@Controller('inbox')
export class ListController {
  private readonly log = new Log('Inbox');
  constructor(
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'TIME_ZONE' | 'INBOX_LABELS'>,
    private readonly access: InboxAccess,
    private readonly search: SubmissionSearchRepository,
    private readonly handling: HandlingRepository,
    private readonly actions: SubmissionActions,
  ) {}

  @Get()
  async list(@Query() query: QueryParameters, @Res() response: Response): Promise<void> {
    const user = userOf(response);
    const scope = this.access.scopeOf(response);
    const newSince = await this.handling.visit(user.name, Date.now());
    const content = await pageOf(this.search, this.access.searchBy(query, response));
    const labels = formsIn(scope).flatMap((form) => labelsFor(form, this.settings.INBOX_LABELS));
    const page = listPage(this.access.frame(response), content, {
      timeZone: this.settings.TIME_ZONE,
      newSince,
      counts: await countTabs(this.search, content.search),
      marked: await this.access.marksBy(query, response),
      isSelected: query['select'] === 'all',
      labels: await this.search.labels(scope, labels),
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
    if (ids.length === 0) throw new HttpError('malformed', serviceWords('inbox').list.chooseFirst);
    const at = await this.actions.mark(ids, this.access.scopeOf(response), as, user.name);
    response.redirect(303, at === undefined ? back : withParameter(back, 'marked', String(at)));
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
}
