import { messages } from 'form-service/contract/messages';
import { company } from 'virtual:content';
import type { Outcome } from '../use-submission.ts';

export interface ApplicationStatusProps {
  readonly outcome?: Outcome | undefined;
  /** Share of the file that is sent, 0 to 1, while it is. */
  readonly progress?: number | undefined;
}

/** What became of the application: a progress bar, then the green or the red box. */
export const ApplicationStatus = ({ outcome, progress }: ApplicationStatusProps) => (
  <div aria-live="polite">
    {progress !== undefined && (
      <div className="upload-progress">
        <label htmlFor="upload-progress">Sending your résumé</label>
        <progress id="upload-progress" value={progress} />
      </div>
    )}
    {outcome?.sent === true && (
      <div className="notice notice--success">
        <p className="notice-title">{messages.applicationSent}</p>
        <p>{messages.applicationSentDetail}</p>
        <p>{outcome.text}</p>
      </div>
    )}
    {outcome?.sent === false && (
      <div className="notice notice--error">
        <p className="notice-title">{messages.applicationFailed}</p>
        <p>{messages.applicationFailedDetail(company.careersEmail)}</p>
      </div>
    )}
  </div>
);
