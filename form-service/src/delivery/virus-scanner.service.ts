import { Inject, Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { ClamdClient } from './clamd.ts';

/** The optional scan of a résumé before it is mailed. `CLAMD_URL` switches it on. */
@Injectable()
export class VirusScanner {
  private readonly clamd: ClamdClient | undefined;

  constructor(@Inject(SETTINGS) settings: Pick<Settings, 'CLAMD_URL'>) {
    this.clamd = settings.CLAMD_URL ? new ClamdClient(settings.CLAMD_URL) : undefined;
  }

  get isEnabled(): boolean {
    return this.clamd !== undefined;
  }

  /**
   * Scans a file.
   *
   * @returns the name of the malware, or undefined for a clean file
   * @throws ScannerUnavailableError when there is no verdict: the file is then neither clean nor infected
   */
  async scan(open: () => Promise<Readable>): Promise<string | undefined> {
    return this.clamd?.scan(await open());
  }

  /** @throws ScannerUnavailableError */
  async ping(): Promise<void> {
    await this.clamd?.ping();
  }
}
