import { RESUME_HEAD_BYTES, resumeProblem as problemWith } from 'form-service/contract/resume-file';

/** Why a file cannot be sent as a résumé, or undefined when it can. The server looks further into the file. */
export async function resumeProblem(file: File): Promise<string | undefined> {
  // A file that cannot be read now, for example one that is only in a cloud, is judged by its name and size.
  const head = await file
    .slice(0, RESUME_HEAD_BYTES)
    .arrayBuffer()
    .catch(() => undefined);
  return problemWith(file, head && new Uint8Array(head));
}
