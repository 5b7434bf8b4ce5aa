import { createElement, startTransition, type ComponentType } from 'react';
import { hydrateRoot } from 'react-dom/client';
import type { Form } from 'form-service/contract/define-form';
import type { FormProps } from './section-form.tsx';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Elements of a form that may hold text. */
const TEXTS = 'label, option, button, p, b, span';

const find = <Found extends Element>(scope: Element, selector: string) => [...scope.querySelectorAll<Found>(selector)];

/**
 * Returns the function that hydrates the island of a form. After a hydration mismatch, caused by an element that an
 * extension has inserted, for example, React renders the island again: values, files, focus and translated texts are
 * then carried over.
 */
export const hydrator = (Component: ComponentType<FormProps>, form: Form) => (island: HTMLElement) => {
  const controls = find<Control>(island, ':is(input, select, textarea)[name]');
  const texts = find(island, TEXTS);
  let focused = document.activeElement;
  island.addEventListener('focusin', ({ target }) => (focused = target as Element));

  const carryOver = () => {
    if (controls.every(({ isConnected }) => isConnected)) return;
    for (const old of controls) {
      // Radio buttons share their name.
      const control = island.querySelector<Control>(old.id ? `#${old.id}` : `[name="${old.name}"]`);
      if (!control) continue;
      if ('checked' in old) (control as HTMLInputElement).checked = old.checked;
      if (old.type === 'file') (control as HTMLInputElement).files = (old as HTMLInputElement).files;
      else control.value = old.value;
      if (old === focused) focus(control, old);
    }
    // The old texts may be translations.
    const rendered = find(island, TEXTS);
    if (rendered.length !== texts.length) return;
    for (const [index, element] of rendered.entries()) {
      if (element.childElementCount === 0) element.replaceChildren(...(texts[index]?.childNodes ?? []));
    }
  };

  // As a transition, hydration yields to the visitor's input.
  startTransition(
    () => void hydrateRoot(island, createElement(Component, { form }), { onRecoverableError: carryOver }),
  );
};

/** Moves focus and selection to the control that replaces another. Only texts have a selection. */
function focus(control: Control, old: Control): void {
  control.focus({ preventScroll: true });
  const { selectionStart = null, selectionEnd = null } = old as Partial<HTMLInputElement>;
  if (selectionStart !== null) (control as HTMLInputElement).setSelectionRange(selectionStart, selectionEnd);
}
