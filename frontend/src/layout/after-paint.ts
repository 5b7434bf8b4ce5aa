/**
 * Calls back when the page has loaded and a frame of it has been painted: what is fetched then shares neither the line nor
 * the thread with the first paint.
 */
export function afterPaint(callback: () => void): void {
  // The first frame callback runs before the frame is painted, the second after.
  const wait = () => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(callback)));
  if (document.readyState === 'complete') wait();
  else addEventListener('load', wait, { once: true });
}
