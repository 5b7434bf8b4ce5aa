import { pipeline } from 'node:stream/promises';
import { Controller, Get, HttpCode, Inject, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { FollowUpsRepository } from '../follow-ups/follow-ups.repository.ts';
import { ResumeFiles } from '../submissions/resume-files.ts';
import { SUBMISSION_STATES, type Submission, type SubmissionState } from '../submissions/submission.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { writeCsv } from '../submissions/submission-table.ts';
import { InboxService } from './inbox.service.ts';
import { listPage, type Search } from './list-page.ts';
import { userOf } from './login.middleware.ts';
import type { Frame } from './page.ts';
import { messagePage, Refusal } from './refusal.filter.ts';
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
    const from = typeof after === 'string' ? after : undefined;
    const content = await this.inbox.page(userOf(response), searchOf(state, text), from);
    response.type('html').send(listPage(this.frame(response), content, this.settings.TIME_ZONE));
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
    const followUps = await this.followUps.of(submission.id);
    const { TIME_ZONE: timeZone } = this.settings;
    response.type('html').send(submissionPage(this.frame(response), submission, followUps, timeZone));
  }

  @Get(':reference/resume')
  async resume(@Param('reference') reference: string, @Res() response: Response): Promise<void> {
    const { id, resume } = await this.found(reference, response);
    if (!resume) throw nothing();
    const content = await this.files.open(resume.key);
    await this.submissions.record(id, { event: 'downloaded', by: userOf(response).name });
    response.attachment(resume.name);
    response.set({ 'Content-Type': resume.mediaType, 'Content-Length': String(resume.size) });
    await pipeline(content, response);
  }

  @Get(':reference/erase')
  async askToErase(@Param('reference') reference: string, @Res() response: Response): Promise<void> {
    response.type('html').send(erasePage(this.frame(response), await this.found(reference, response)));
  }

  @Post(':reference/erase')
  @HttpCode(200)
  async erase(@Param('reference') reference: string, @Res() response: Response): Promise<void> {
    if (!(await this.inbox.erase(await this.found(reference, response))))
      throw new Refusal(409, 'It is being sent right now. Please try again in a minute.');
    response.type('html').send(messagePage(this.frame(response), 'It is erased.'));
  }

  @Post(':reference/release')
  release(@Param('reference') reference: string, @Res() response: Response): Promise<void> {
    return this.sendAgain(reference, ['quarantined'], response);
  }

  @Post(':reference/resend')
  resend(@Param('reference') reference: string, @Res() response: Response): Promise<void> {
    return this.sendAgain(reference, ['failed', 'delivered'], response);
  }

  private async sendAgain(reference: string, from: readonly SubmissionState[], response: Response): Promise<void> {
    const submission = await this.found(reference, response);
    if (!from.includes(submission.state) || !(await this.inbox.sendAgain(userOf(response), submission)))
      throw new Refusal(409, 'Somebody else was quicker, or it has changed meanwhile. Nothing was done.');
    response.redirect(303, `/inbox/${submission.id}`);
  }

  /** @throws Refusal 404 */
  private async found(reference: string, response: Response): Promise<Submission> {
    const submission = await this.inbox.find(userOf(response), reference);
    if (!submission) throw nothing();
    return submission;
  }

  private frame(response: Response): Frame {
    return { company: this.settings.COMPANY_NAME, user: userOf(response) };
  }
}

const nothing = () =>
  new Refusal(404, 'There is nothing here that you may see. It may have been erased, or deleted after its time.');

function searchOf(state: unknown, text: unknown): Search {
  return {
    state: SUBMISSION_STATES.find((one) => one === state),
    text: typeof text === 'string' ? text.slice(0, 200) : '',
  };
}
