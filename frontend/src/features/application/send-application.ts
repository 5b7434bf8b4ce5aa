import type { Accepted, Refused } from 'form-service/contract/answer';
import { messages } from 'form-service/contract/messages';
import type { Attempt } from '../use-submission.ts';

/** Milliseconds without any progress after which the server is no longer waited for. */
const STALL_MS = 60_000;

/**
 * Sends an application: `POST /api/resume` as multipart form data. It is accepted only when the status is ok and the
 * answer says success. XMLHttpRequest, because fetch does not tell how much of an upload is sent.
 *
 * @param onProgress told the share sent so far, 0 to 1
 * @returns what the applicant should keep
 * @throws Error with the answer's message, or "Submission failed"
 */
export function sendApplication(
  application: Readonly<Record<string, string | File | null>>,
  { headers, signal }: Attempt,
  onProgress: (share: number) => void,
): Promise<string> {
  const body = new FormData();
  for (const [name, value] of Object.entries(application)) {
    // A control character in a file's name cannot be said in a form.
    if (value instanceof File) body.append(name, value, value.name.replace(/\p{Cc}/gu, ' '));
    else if (value !== null) body.append(name, value);
  }

  const request = new XMLHttpRequest();
  let stalled: ReturnType<typeof setTimeout>;
  const hurry = () => {
    clearTimeout(stalled);
    stalled = setTimeout(() => request.abort(), STALL_MS);
  };

  return new Promise<string>((resolve, reject) => {
    request.open('POST', '/api/resume');
    request.responseType = 'json';
    request.setRequestHeader('Accept', 'application/json');
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      hurry();
      if (lengthComputable) onProgress(loaded / total);
    };
    request.onload = () => {
      const answer = request.response as Partial<Accepted> | Partial<Refused> | null;
      const isOk = request.status >= 200 && request.status < 300;
      if (isOk && answer?.success === true) resolve(`Your reference is ${answer.reference}.`);
      else reject(new Error(answer?.message ?? messages.submissionFailed));
    };
    request.onerror = request.onabort = () => reject(new Error(messages.submissionFailed));
    signal.addEventListener('abort', () => request.abort());
    hurry();
    request.send(body);
  }).finally(() => clearTimeout(stalled));
}
