import { messages } from 'form-service/contract/messages';
import { company } from '../../content/company.ts';

export type SubmitStatus = 'idle' | 'success' | 'error';

export interface ApplicationStatusProps {
  readonly status: SubmitStatus;
  /** Share of the file that is sent, 0 to 1, while it is. */
  readonly progress?: number | undefined;
}

/** What became of the application: a progress bar, then the green or the red box (spec 8). */
export const ApplicationStatus = ({ status, progress }: ApplicationStatusProps) => (
  <div aria-live="polite">
    {progress !== undefined && (
      <label className="upload-progress">
        Sending your résumé
        <progress value={progress} />
      </label>
    )}
    {status === 'success' && (
      <div className="notice notice--success">
        <p className="notice-title">{messages.applicationSent}</p>
        <p>{messages.applicationSentDetail}</p>
      </div>
    )}
    {status === 'error' && (
      <div className="notice notice--error">
        <p className="notice-title">{messages.applicationFailed}</p>
        <p>{messages.applicationFailedDetail(company.careersEmail)}</p>
      </div>
    )}
  </div>
);
