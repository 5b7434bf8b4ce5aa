/**
 * Calls back once the page has been painted and has loaded, so that later requests compete neither for the connection nor
 * for the main thread. In a background tab this happens when the tab is shown.
 */
export function afterPaint(callback: () => void): void {
  // Counting frames is not enough: the browser may be two frames ahead of what it shows.
  const observer = new PerformanceObserver((entries) => {
    if (entries.getEntriesByName('first-contentful-paint').length === 0) return;
    observer.disconnect();
    if (document.readyState === 'complete') setTimeout(callback);
    else addEventListener('load', () => setTimeout(callback), { once: true });
  });
  observer.observe({ type: 'paint', buffered: true });
}
