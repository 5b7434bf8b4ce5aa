import { messages } from 'form-service/contract/messages';
import { iconButton } from '../components/ui/actions.tsx';
import { Icon } from '../components/ui/icon.tsx';
import { Island } from './island.tsx';
import type { FormProps } from './section-form.tsx';

const DIALOG =
  'dims-scrollbar m-auto max-h-[min(100dvh-2rem,60rem)] w-[min(100%-2rem,40rem)] scroll-pb-28 overflow-y-auto overscroll-contain rounded-md bg-paper p-[clamp(1.25rem,4vw,2.5rem)] text-ink elevation-dialog backdrop:bg-backdrop [&:modal]:animate-rise dialog-in-page';

/**
 * Form in a modal dialog. Its openers are links to the dialog's anchor; the page's script opens and closes
 * the dialog. Without script the browser shows the same form in the page as the link's target, and it posts as plain
 * HTML.
 */
export function FormDialog({ form }: FormProps) {
  const headingId = `${form.kind}-heading`;
  return (
    <dialog id={form.kind} className={DIALOG} aria-labelledby={headingId}>
      <div className="mb-6 flex items-start justify-between gap-4">
        <h2 id={headingId} className="text-[clamp(1.5rem,1.2rem+1.2vw,2rem)]">
          {form.words.title}
        </h2>
        <button className={`${iconButton} no-js:hidden`} type="button" aria-label={messages.close} data-closes>
          <Icon name="x" />
        </button>
      </div>
      <Island form={form} />
    </dialog>
  );
}
