/** Calls back when the visitor sees the page: at once, or when a page that the browser prepared in advance is shown. */
export function whenShown(callback: () => void): void {
  // Only Chromium has it.
  const { prerendering } = document as { prerendering?: boolean };
  if (prerendering) document.addEventListener('prerenderingchange', callback, { once: true });
  else callback();
}
