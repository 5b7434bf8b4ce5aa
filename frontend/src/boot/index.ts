import { afterPaint } from './after-paint.ts';
import { DEFERRED } from './deferred-path.ts';
import { loadDisplayFont } from './display-font.ts';

/**
 * Boot script, inline in the head of every page. It holds only what the first view needs, so that the page fits into
 * one round trip. The rest is loaded after the first paint.
 */
if (FACE) loadDisplayFont(FACE);
afterPaint(() => {
  // Leaving the page cancels the request. Without the script the page works as HTML.
  void import(/* @vite-ignore */ DEFERRED).catch(() => {});
});
