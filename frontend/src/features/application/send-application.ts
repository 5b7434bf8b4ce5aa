import { IDEMPOTENCY_HEADER, type Accepted, type Refused } from 'form-service/contract/answer';
import type { Application } from 'form-service/contract/application';
import { messages } from 'form-service/contract/messages';

/**
 * Sends an application: `POST /api/resume` as multipart form data (spec 7). It is accepted only when the status is ok and
 * the answer says success. XMLHttpRequest, because fetch does not tell how much of an upload is sent.
 *
 * @param headers further ones to be sent along
 * @param onProgress told the share sent so far, 0 to 1
 * @throws Error with the answer's message, or "Submission failed"
 */
export function sendApplication(
  application: Application,
  resume: File,
  idempotencyKey: string,
  headers: Readonly<Record<string, string>>,
  onProgress: (share: number) => void,
): Promise<void> {
  const body = new FormData();
  for (const [name, value] of Object.entries(application)) body.append(name, value);
  // A control character in a file's name cannot be said in a form.
  body.append('resume', resume, resume.name.replace(/\p{Cc}/gu, ' '));

  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', '/api/resume');
    request.responseType = 'json';
    request.setRequestHeader('Accept', 'application/json');
    for (const [name, value] of Object.entries({ ...headers, [IDEMPOTENCY_HEADER]: idempotencyKey })) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable) onProgress(loaded / total);
    };
    request.onload = () => {
      const answer = request.response as Partial<Accepted | Refused> | null;
      const isOk = request.status >= 200 && request.status < 300;
      if (isOk && answer?.success === true) resolve();
      else reject(new Error(answer?.message ?? messages.submissionFailed));
    };
    request.onerror = () => reject(new Error(messages.submissionFailed));
    request.send(body);
  });
}
