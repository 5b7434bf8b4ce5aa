/**
 * Moves the focus to an element and scrolls to it. `focus()` alone scrolls differently in each browser: Firefox leaves an
 * element where it is while any part of it is in the window.
 */
export function showAndFocus(element: HTMLElement | null | undefined, block: ScrollLogicalPosition): void {
  element?.focus({ preventScroll: true });
  // Newer browsers return a promise, which is of no use.
  void element?.scrollIntoView({ block });
}
