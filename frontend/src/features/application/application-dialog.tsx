import { useEffect, useRef, useState } from 'react';
import { APPLICATION_ANCHOR } from '../../components/actions.tsx';
import { Icon } from '../../components/icon.tsx';
import { ApplicationForm } from './application-form.tsx';

/**
 * The application form in a modal dialog. Its openers are links to the dialog's anchor, which the boot lets open it, as it
 * lets X and Cancel close it before React is there. Without a script the browser shows the same form in the page, as the
 * link's target, and it posts as plain HTML.
 */
export function ApplicationDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    if (location.hash !== `#${APPLICATION_ANCHOR}`) return;
    // The page was asked for with its form.
    history.replaceState(history.state, '', location.pathname);
    if (!dialog.current?.open) dialog.current?.showModal();
  }, []);

  const close = () => dialog.current?.close();

  return (
    <dialog
      ref={dialog}
      id={APPLICATION_ANCHOR}
      // It may have been opened before React came.
      suppressHydrationWarning
      className="dialog"
      aria-labelledby="application-heading"
      onCancel={(event) => {
        if (busy && event.target === dialog.current) event.preventDefault();
      }}
    >
      <div className="dialog-head">
        <h2 id="application-heading">Submit Your Application</h2>
        <button className="icon-button needs-script" type="button" aria-label="Close" data-closes disabled={busy} onClick={close}>
          <Icon name="x" />
        </button>
      </div>
      <ApplicationForm onBusyChange={setBusy} onClose={close} />
    </dialog>
  );
}
