import { messages } from 'form-service/contract/messages';
import { company } from 'virtual:content';
import { Notice } from '../../components/ui/notice.tsx';
import type { Outcome } from '../submit.ts';

export interface ApplicationStatusProps {
  readonly outcome?: Outcome | undefined;
  /** Share of the file that is sent, 0 to 1, while it is. */
  readonly progress?: number | undefined;
}

/** What became of the application: a progress bar, then the green or the red box. */
export const ApplicationStatus = ({ outcome, progress }: ApplicationStatusProps) => (
  <div aria-live="polite">
    {progress !== undefined && (
      <div className="grid gap-[0.4rem]">
        <label htmlFor="upload-progress">Sending your résumé</label>
        <progress id="upload-progress" value={progress} className="h-[0.6rem] w-full accent-signal" />
      </div>
    )}
    {outcome?.sent === true && (
      <Notice kind="success" title={messages.applicationSent}>
        <p>{messages.applicationSentDetail}</p>
        <p>{outcome.text}</p>
      </Notice>
    )}
    {outcome?.sent === false && (
      <Notice kind="error" title={messages.applicationFailed}>
        {outcome.text && <p>{outcome.text}</p>}
        <p>{messages.applicationFailedDetail(company.careersEmail)}</p>
      </Notice>
    )}
  </div>
);
