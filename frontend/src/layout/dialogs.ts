/**
 * Opens a dialog from any link that says it has one, from a page's first moment on. Without a script the link leads to the
 * same content, which is its target then.
 */
export function openDialogs(): void {
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[aria-haspopup=dialog]');
    const dialog = link && document.querySelector<HTMLDialogElement>(`dialog${link.hash}`);
    if (!dialog) return;
    event.preventDefault();
    dialog.showModal();
  });
}
