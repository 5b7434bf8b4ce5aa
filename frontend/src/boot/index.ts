import { afterPaint } from './after-paint.ts';
import { loadDisplayFont } from './display-font.ts';

/** The build puts the built file's address in its place. */
const DEFERRED = '/src/boot/deferred.ts';

/**
 * The boot: inline in the head of every page, and no more than the first view needs, so that the page comes in one round
 * trip. Everything else comes once the page has been painted.
 */
loadDisplayFont();
afterPaint(() => void import(/* @vite-ignore */ DEFERRED));
