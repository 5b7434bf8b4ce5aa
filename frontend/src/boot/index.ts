import { afterPaint } from './after-paint.ts';
import { DEFERRED } from './deferred-path.ts';
import { loadDisplayFont } from './display-font.ts';

/**
 * Boot script, inline in the head of every page. It holds only what the first view needs, so that the page fits into
 * one round trip. The rest is loaded after the first paint.
 */
if (FACE) loadDisplayFont(FACE);
afterPaint(() => {
  // The sheet for paper. Fetched earlier, it would delay the first view, even with a low priority.
  document.querySelector('link[media=print]')?.removeAttribute('disabled');
  // Leaving the page cancels the request. Without the script the page works as HTML.
  void import(/* @vite-ignore */ DEFERRED).catch(() => {});
});
