import { useEffect, useRef, useState } from 'react';
import type { FormField } from 'form-service/contract/fields';
import { messages } from 'form-service/contract/messages';
import { Icon } from '../../components/ui/icon.tsx';
import { resumeProblem } from './resume-problem.ts';

export interface ResumeInputProps {
  readonly field: FormField;
  readonly file: File | null;
  readonly onFile: (file: File | null) => void;
}

/**
 * The résumé's file control. The native input covers the whole drop zone, so the picker, drag and drop and the keyboard
 * are the browser's own. A file that cannot be accepted raises an alert and is not kept.
 */
export function ResumeInput({ field: { name, label, accept }, file, onFile }: ResumeInputProps) {
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
          aria-describedby={`${name}-hint`}
          onChange={() => void take()}
        />
        <Icon name={file ? 'file-text' : 'upload'} className="size-7 text-hue-ink" />
        {file ? (
          <b data-file>{file.name}</b>
        ) : (
          <b className="no-js:hidden" suppressHydrationWarning>
            Choose a file or drop it here
          </b>
        )}
        <span className="text-sm text-muted" id={`${name}-hint`} suppressHydrationWarning>
          {messages.resumeHint}
        </span>
      </div>
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
