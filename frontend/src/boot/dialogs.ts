/**
 * Opens a dialog from any link that says it has one, and closes it by the buttons that say so, from a page's first moment
 * on. Without a script the link leads to the same content, which is its target then.
 */
export function openAndCloseDialogs(): void {
  document.addEventListener('click', (event) => {
    const element = event.target as Element;
    if (element.closest('[data-closes]')) element.closest('dialog')?.close();
    const link = element.closest<HTMLAnchorElement>('a[aria-haspopup=dialog]');
    const dialog = link && document.querySelector<HTMLDialogElement>(`dialog${link.hash}`);
    if (!dialog) return;
    event.preventDefault();
    dialog.showModal();
  });
}
