/**
 * Calls back once the page has loaded and its content has been painted, so that later requests compete neither for the
 * connection nor for the main thread. In a background tab this happens when the tab is shown.
 */
export function afterPaint(callback: () => void): void {
  const onceLoaded = () => {
    if (document.readyState === 'complete') setTimeout(callback);
    else addEventListener('load', () => setTimeout(callback), { once: true });
  };
  // Counting frames is not enough: the browser may be two frames ahead of what it shows.
  const observer = new PerformanceObserver((entries) => {
    if (entries.getEntriesByName('first-contentful-paint').length === 0) return;
    observer.disconnect();
    onceLoaded();
  });
  observer.observe({ type: 'paint', buffered: true });
}
