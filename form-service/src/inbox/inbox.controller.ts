import { pipeline } from 'node:stream/promises';
import { Controller, Get, HttpCode, Inject, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { Database } from '../database/database.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { FollowUpsRepository } from '../follow-ups/follow-ups.repository.ts';
import { ResumeFiles } from '../submissions/resume-files.ts';
import { isSubmissionId } from '../submissions/submission-id.ts';
import { writeCsv } from '../submissions/submission-table.ts';
import type { Submission, SubmissionState } from '../submissions/submission.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { listPage } from './list-page.ts';
import { formsOf, pageOf, searchIn, searchOf } from './search.ts';
import { userOf } from './login.middleware.ts';
import type { Frame } from './page.ts';
import { messagePage, Refusal } from './refusal.filter.ts';
import { erasePage, submissionPage } from './submission-page.ts';

/** The pages and actions of `/inbox`. Who gets here has signed in; what the role may not see answers 404. */
@Controller('inbox')
export class InboxController {
  constructor(
    @Inject(SETTINGS) private readonly settings: Pick<
      Settings,
      'COMPANY_NAME' | 'TIME_ZONE' | 'SUBMISSION_WEBHOOK_URL'
    >,
    private readonly submissions: SubmissionsRepository,
    private readonly followUps: FollowUpsRepository,
    private readonly files: ResumeFiles,
    private readonly database: Database,
  ) {}

  @Get()
  async list(
    @Query('state') state: unknown,
    @Query('q') text: unknown,
    @Query('after') after: unknown,
    @Res() response: Response,
  ): Promise<void> {
    const search = searchOf(userOf(response), state, text);
    const content = await pageOf(this.submissions, search, typeof after === 'string' ? after : undefined);
    response.type('html').send(listPage(this.frame(response), content, this.settings.TIME_ZONE));
  }

  /** The whole list, in the columns of `submissions export`. */
  @Get('export.csv')
  async csv(@Query('state') state: unknown, @Query('q') text: unknown, @Res() response: Response): Promise<void> {
    response.attachment('submissions.csv');
    await writeCsv(searchIn(this.submissions, searchOf(userOf(response), state, text)), response);
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
    try {
      await this.submissions.record(id, { event: 'downloaded', by: userOf(response).name });
      response.attachment(resume.name);
      response.set({ 'Content-Type': resume.mediaType, 'Content-Length': String(resume.size) });
      await pipeline(content, response);
    } catch (error) {
      // Whoever breaks a download off is answered by nobody, and nothing is wrong.
      if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    } finally {
      content.destroy();
    }
  }

  @Get(':reference/erase')
  async askToErase(@Param('reference') reference: string, @Res() response: Response): Promise<void> {
    response.type('html').send(erasePage(this.frame(response), await this.found(reference, response)));
  }

  @Post(':reference/erase')
  @HttpCode(200)
  async erase(@Param('reference') reference: string, @Res() response: Response): Promise<void> {
    const erased = await this.submissions.erase([(await this.found(reference, response)).id]);
    if (erased.length === 0) throw new Refusal(409, 'It is being sent right now. Please try again in a minute.');
    let sentence = 'It is erased.';
    for (const { resume } of erased) {
      if (!resume) continue;
      await this.files.remove(resume.key).catch((error: unknown) => {
        if (!(error instanceof StorageUnavailableError)) throw error;
        // The worker's clean-up removes files that no submission names.
        sentence =
          'It is erased, but for its file, which cannot be removed right now. That follows in a week by itself.';
      });
    }
    await this.database.removeCopies();
    response.type('html').send(messagePage(this.frame(response), sentence));
  }

  @Post(':reference/release')
  release(@Param('reference') reference: string, @Res() response: Response): Promise<void> {
    return this.sendAgain(reference, ['quarantined'], response);
  }

  @Post(':reference/resend')
  resend(@Param('reference') reference: string, @Res() response: Response): Promise<void> {
    return this.sendAgain(reference, ['failed', 'delivered'], response);
  }

  /**
   * Makes a submission pending again, and a post to the webhook that was given up. Of two users who do so at once, one
   * does it.
   */
  private async sendAgain(reference: string, from: readonly SubmissionState[], response: Response): Promise<void> {
    const { id, state } = await this.found(reference, response);
    const released = state === 'quarantined';
    const followUps = released && this.settings.SUBMISSION_WEBHOOK_URL ? (['webhook'] as const) : [];
    const by = userOf(response).name;
    const isFitting = from.includes(state);
    const changed = isFitting ? await this.submissions.requeue([id], [state], { released, by, followUps }) : [];
    if (changed.length === 0)
      throw new Refusal(409, 'Somebody else was quicker, or it has changed meanwhile. Nothing was done.');
    await this.followUps.renewPosts(changed);
    response.redirect(303, `/inbox/${id}`);
  }

  /** @throws Refusal 404 */
  private async found(reference: string, response: Response): Promise<Submission> {
    const found = isSubmissionId(reference) ? await this.submissions.find(reference) : undefined;
    if (!found || !formsOf(userOf(response)).includes(found.form)) throw nothing();
    return found;
  }

  private frame(response: Response): Frame {
    return { company: this.settings.COMPANY_NAME, user: userOf(response) };
  }
}

const nothing = () =>
  new Refusal(404, 'There is nothing here that you may see. It may have been erased, or deleted after its time.');
