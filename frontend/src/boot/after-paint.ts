/**
 * Calls back when the page has loaded and its content has been painted: what is fetched then shares neither the line nor
 * the thread with the first paint. A page in the background is painted, and goes on, when it is looked at.
 */
export function afterPaint(callback: () => void): void {
  const onceLoaded = () => {
    if (document.readyState === 'complete') setTimeout(callback);
    else addEventListener('load', () => setTimeout(callback), { once: true });
  };
  // Counting frames is not enough: the browser can be two of them ahead of what it shows.
  const observer = new PerformanceObserver((entries) => {
    if (entries.getEntriesByName('first-contentful-paint').length === 0) return;
    observer.disconnect();
    onceLoaded();
  });
  observer.observe({ type: 'paint', buffered: true });
}
