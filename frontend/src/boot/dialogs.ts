/** Links that open a dialog. */
export const OPENERS = 'a[aria-haspopup=dialog]';

/**
 * Opens a dialog from its links (`aria-haspopup`) or from its anchor in the page's address, and closes it by its `data-
 * closes` buttons. Without script the links lead to the same content as their target. With it they act as buttons,
 * which the space bar presses. `data-js` on a dialog marks that this script runs.
 */
export function openAndCloseDialogs(): void {
  const open = (hash: string) => {
    const dialog = document.getElementById(hash.slice(1));
    if (!(dialog instanceof HTMLDialogElement)) return false;
    if (!dialog.open) dialog.showModal();
    const [input] = dialog.querySelectorAll('input');
    // As in components/ui/show-and-focus.ts, which in two bundles would be a file, and a request, of its own.
    input?.focus({ preventScroll: true });
    void input?.scrollIntoView({ block: 'nearest' });
    return true;
  };

  const openTarget = () => {
    // The address loses the anchor, so that closing the dialog leaves no entry in the history.
    if (open(location.hash)) history.replaceState(history.state, '', location.pathname + location.search);
  };
  addEventListener('hashchange', openTarget);
  for (const link of document.querySelectorAll(OPENERS)) link.setAttribute('role', 'button');
  for (const dialog of document.querySelectorAll('dialog')) dialog.dataset.js = '';
  openTarget();

  document.addEventListener('click', (event) => {
    const element = event.target as Element;
    if (element.closest('[data-closes]')) element.closest('dialog')?.close();
    const link = element.closest<HTMLAnchorElement>(OPENERS);
    if (link && open(link.hash)) event.preventDefault();
  });

  document.addEventListener('keydown', (event) => {
    const link = event.key === ' ' && (event.target as Element).closest<HTMLAnchorElement>(OPENERS);
    if (!link) return;
    event.preventDefault();
    link.click();
  });
}
