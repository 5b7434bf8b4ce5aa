import { APPLICATION_ANCHOR } from '../../components/ui/actions.tsx';
import { Icon } from '../../components/ui/icon.tsx';
import { Island } from '../island.tsx';
import { ApplicationForm } from './application-form.tsx';

/**
 * The application form in a modal dialog. Its openers are links to the dialog's anchor, which the boot lets open it;
 * the boot closes it too. Without a script the browser shows the same form in the page, as the link's target, and it
 * posts as plain HTML.
 */
export const ApplicationDialog = () => (
  <dialog id={APPLICATION_ANCHOR} className="dialog" aria-labelledby="application-heading">
    <div className="dialog-head">
      <h2 id="application-heading">Submit Your Application</h2>
      <button className="icon-button needs-script" type="button" aria-label="Close" data-closes>
        <Icon name="x" />
      </button>
    </div>
    <Island entry="src/features/application/application-island.ts">
      <ApplicationForm />
    </Island>
  </dialog>
);
