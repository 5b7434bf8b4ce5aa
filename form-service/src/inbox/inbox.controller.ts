import { pipeline } from 'node:stream/promises';
import { Controller, Get, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { FollowUpsRepository } from '../follow-ups/follow-ups.repository.ts';
import { ResumeFiles } from '../submissions/resume-files.ts';
import { SUBMISSION_STATES, type Submission } from '../submissions/submission.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { writeCsv } from '../submissions/submission-table.ts';
import { InboxService, PAGE_ROWS, placeOf } from './inbox.service.ts';
import { messagePage } from './layout.ts';
import { listPage, type Search } from './list-page.ts';
import { userOf } from './login.middleware.ts';
import { erasePage, submissionPage } from './submission-page.ts';

/** The pages and actions of `/inbox`. Who gets here has signed in; what the role may not see answers 404. */
@Controller('inbox')
export class InboxController {
  constructor(
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'COMPANY_NAME' | 'TIME_ZONE'>,
    private readonly inbox: InboxService,
    private readonly submissions: SubmissionsRepository,
    private readonly files: ResumeFiles,
    private readonly followUps: FollowUpsRepository,
  ) {}

  @Get()
  async list(
    @Query('state') state: unknown,
    @Query('q') text: unknown,
    @Query('after') after: unknown,
    @Res() response: Response,
  ): Promise<void> {
    const user = userOf(response);
    const search = searchOf(state, text);
    const from = typeof after === 'string' ? after : undefined;
    const isFirst = search.state === undefined && search.text === '' && from === undefined;
    const found: Submission[] = [];
    const waiting = await this.inbox.waiting(user);
    const shown = new Set(isFirst ? waiting.rows.map(({ id }) => id) : []);
    let next: string | undefined;
    for await (const one of this.inbox.search(user, search, from)) {
      if (shown.has(one.id)) continue;
      if (found.length === PAGE_ROWS) {
        next = placeOf(found[PAGE_ROWS - 1] as Submission);
        break;
      }
      found.push(one);
    }
    const days = isFirst ? await this.inbox.days(user) : [];
    const { TIME_ZONE: timeZone } = this.settings;
    const rows = isFirst ? waiting.rows : [];
    const content = { search, waiting: rows, waitingCount: waiting.count, found, next, days, timeZone };
    response.type('html').send(listPage(this.frame(response), content));
  }

  /** The whole list, in the columns of `submissions export`. */
  @Get('export.csv')
  async csv(@Query('state') state: unknown, @Query('q') text: unknown, @Res() response: Response): Promise<void> {
    response.attachment('submissions.csv');
    await writeCsv(this.inbox.search(userOf(response), searchOf(state, text)), response);
  }

  @Get(':reference')
  async show(@Param('reference') reference: string, @Res() response: Response): Promise<void> {
    const submission = await this.found(reference, response);
    if (!submission) return;
    const followUps = await this.followUps.of(submission.id);
    const { TIME_ZONE: timeZone } = this.settings;
    response.type('html').send(submissionPage(this.frame(response), submission, followUps, timeZone));
  }

  @Get(':reference/resume')
  async resume(@Param('reference') reference: string, @Res() response: Response): Promise<void> {
    const submission = await this.found(reference, response);
    if (!submission) return;
    if (submission.form !== 'application') return this.notFound(response);
    const { name, mediaType, size, key } = submission.resume;
    const content = await this.files.open(key);
    await this.submissions.record(submission.id, { event: 'downloaded', by: userOf(response).name });
    response.attachment(name);
    response.set({ 'Content-Type': mediaType, 'Content-Length': String(size) });
    await pipeline(content, response);
  }

  @Get(':reference/erase')
  async askToErase(@Param('reference') reference: string, @Res() response: Response): Promise<void> {
    const submission = await this.found(reference, response);
    if (submission) response.type('html').send(erasePage(this.frame(response), submission));
  }

  @Post(':reference/erase')
  async erase(@Param('reference') reference: string, @Res() response: Response): Promise<void> {
    const submission = await this.found(reference, response);
    if (!submission) return;
    if (!(await this.inbox.erase(submission)))
      return this.say(response, 409, 'It is being sent right now. Please try again in a minute.');
    this.say(response, 200, 'It is erased.');
  }

  @Post([':reference/release', ':reference/resend'])
  async sendAgain(
    @Param('reference') reference: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const submission = await this.found(reference, response);
    if (!submission) return;
    const isRelease = request.path.endsWith('/release');
    const isFitting = isRelease
      ? submission.state === 'quarantined'
      : submission.state === 'failed' || submission.state === 'delivered';
    if (!isFitting || !(await this.inbox.sendAgain(userOf(response), submission)))
      return this.say(response, 409, 'Somebody else was quicker, or it has changed meanwhile. Nothing was done.');
    response.redirect(303, `/inbox/${submission.id}`);
  }

  /** The submission; or undefined, and then the answer is sent. */
  private async found(reference: string, response: Response): Promise<Submission | undefined> {
    const submission = await this.inbox.find(userOf(response), reference);
    if (!submission) this.notFound(response);
    return submission;
  }

  private notFound(response: Response): void {
    this.say(
      response,
      404,
      'There is nothing here that you may see. It may have been erased, or deleted after its time.',
    );
  }

  private say(response: Response, status: number, sentence: string): void {
    const page = messagePage(this.settings.COMPANY_NAME, sentence, userOf(response));
    response.status(status).type('html').send(page);
  }

  private frame(response: Response) {
    return { companyName: this.settings.COMPANY_NAME, user: userOf(response) };
  }
}

function searchOf(state: unknown, text: unknown): Search {
  return {
    state: SUBMISSION_STATES.find((one) => one === state),
    text: typeof text === 'string' ? text.slice(0, 200) : '',
  };
}
