import { useEffect, useRef, useState } from 'react';
import type { FormField } from 'form-service/contract/fields';
import { messages } from 'form-service/contract/messages';
import { Icon } from '../../components/ui/icon.tsx';
import { FieldError } from '../../components/ui/field-error.tsx';
import { RESUME_HEAD_BYTES, resumeProblem as problemWith } from 'form-service/contract/resume-file';

export interface ResumeInputProps {
  readonly field: FormField;
  readonly file: File | null;
  /** What the service found wrong with the last one. */
  readonly error?: string | undefined;
  readonly onFile: (file: File | null) => void;
}

/**
 * The résumé's file control. The native input covers the whole drop zone, so the picker, drag and drop and the keyboard
 * are the browser's own. A file that cannot be accepted raises an alert and is not kept.
 */
export function ResumeInput({ field: { name, label, accept }, file, error, onFile }: ResumeInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);

  const take = async () => {
    const chosen = input.current?.files?.[0] ?? null;
    const problem = chosen && (await resumeProblem(chosen));
    // Another one was chosen while this one was read.
    if (chosen !== (input.current?.files?.[0] ?? null)) return;
    if (problem) window.alert(problem);
    if (problem && input.current) input.current.value = '';
    onFile(problem ? null : chosen);
  };

  const remove = () => {
    onFile(null);
    if (!input.current) return;
    input.current.value = '';
    input.current.focus();
  };

  useEffect(() => {
    // The browser kept the choice, for example one made before React came.
    if (input.current?.files?.length) void take();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when the form appears
  }, []);

  return (
    <div className="field">
      <label htmlFor={name} suppressHydrationWarning>
        {label}
      </label>
      <div
        className="drop-zone"
        data-over={over || undefined}
        onDragEnter={() => setOver(true)}
        onDragLeave={() => setOver(false)}
        onDrop={() => setOver(false)}
      >
        <input
          ref={input}
          id={name}
          name={name}
          type="file"
          accept={accept}
          aria-required="true"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${name}-error ${name}-hint` : `${name}-hint`}
          onChange={() => void take()}
        />
        <Icon name={file ? 'file-text' : 'upload'} className="size-7 text-hue-ink" />
        {file ? (
          <b data-file>
            <bdi>{file.name}</bdi>
          </b>
        ) : (
          <b className="no-js:hidden" suppressHydrationWarning>
            Choose a file or drop it here
          </b>
        )}
        <span className="text-sm text-muted" id={`${name}-hint`} suppressHydrationWarning>
          {messages.resumeHint}
        </span>
      </div>
      {error && <FieldError id={`${name}-error`}>{error}</FieldError>}
      {file && (
        <button
          className="min-h-7 cursor-pointer justify-self-start text-signal underline"
          type="button"
          onClick={remove}
        >
          Remove file
        </button>
      )}
    </div>
  );
}

/** Why a file cannot be sent as a résumé, or undefined when it can. The server looks further into the file. */
export async function resumeProblem(file: File): Promise<string | undefined> {
  // A file that cannot be read now, for example one that is only in a cloud, is judged by its name and size.
  const head = await file
    .slice(0, RESUME_HEAD_BYTES)
    .arrayBuffer()
    .catch(() => undefined);
  return problemWith(file, head && new Uint8Array(head));
}
