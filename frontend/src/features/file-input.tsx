import { useEffect, useRef, useState } from 'react';
import { markedLabel } from 'form-service/contract/define-form';
import { messages } from 'form-service/contract/messages';
import { ariaOf, FieldError, type FieldProps } from '../components/ui/field.tsx';
import { Icon } from '../components/ui/icon.tsx';
import { RESUME_HEAD_BYTES, resumeProblem as problemWith } from 'form-service/contract/resume-file';

/**
 * File control. The native input covers the whole drop zone, so that picker, drag and drop and keyboard
 * are the browser's own. A file that is not acceptable raises an alert and is removed.
 */
export function FileInput({ field, value: file, error, onRemoved }: FieldProps) {
  const { name, accept, hint } = field;
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);

  const empty = () => {
    if (input.current) input.current.value = '';
    onRemoved?.();
  };

  const check = async () => {
    const chosen = input.current?.files?.[0];
    const problem = chosen && (await resumeProblem(chosen));
    // The visitor may have chosen another file meanwhile.
    if (!problem || chosen !== input.current?.files?.[0]) return;
    window.alert(problem);
    empty();
  };

  useEffect(() => {
    // The file may have been chosen before hydration.
    void check();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, at hydration
  }, []);

  return (
    <div className="field">
      <label htmlFor={name} suppressHydrationWarning>
        {markedLabel(field)}
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
          {...ariaOf(field, error)}
          onChange={() => void check()}
        />
        <Icon name={file ? 'file-text' : 'upload'} className="size-7 text-hue-ink" />
        {file instanceof File ? (
          <b data-file>
            <bdi>{file.name}</bdi>
          </b>
        ) : (
          <b className="no-js:hidden" suppressHydrationWarning>
            {messages.chooseFile}
          </b>
        )}
        <span className="text-sm text-muted" id={`${name}-hint`} suppressHydrationWarning>
          {hint}
        </span>
      </div>
      <FieldError name={name} error={error} />
      {file && (
        <button
          className="min-h-7 cursor-pointer justify-self-start text-signal underline"
          type="button"
          onClick={() => {
            empty();
            input.current?.focus();
          }}
        >
          {messages.removeFile}
        </button>
      )}
    </div>
  );
}

/** Returns why a file cannot be sent as a résumé, if so. The service inspects the file further. */
export async function resumeProblem(file: File): Promise<string | undefined> {
  // A file that cannot be read now, for example because it is in the cloud, is judged by its name and size.
  const head = await file
    .slice(0, RESUME_HEAD_BYTES)
    .arrayBuffer()
    .catch(() => undefined);
  const problem = problemWith(file, head && new Uint8Array(head));
  return problem && messages[problem];
}
