import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { userOf } from '../sign-in/login.middleware.ts';
import { FileStorage } from '../files/file-storage.ts';
import { hasPdf, type Submission } from '../submissions/submission.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { InboxAccess, nothing } from './inbox-access.service.ts';

/**
 * Policy of the page of a PDF: viewers bring styles of their own and embed the file. No `sandbox`, with which Safari shows
 * nothing.
 */
const VIEWER_POLICY =
  "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/** The file of a submission, to save or to look at. */
@Controller('inbox/:reference')
export class FileController {
  constructor(
    private readonly access: InboxAccess,
    private readonly submissions: SubmissionsRepository,
    private readonly files: FileStorage,
  ) {}

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
}
