import { createElement, startTransition, type ComponentType } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { ApplicationForm } from './application/application-form.tsx';
import { ContactForm } from './contact/contact-form.tsx';
import type { IslandProps } from './island.tsx';

const FORMS: Readonly<Record<IslandProps['name'], ComponentType>> = {
  contact: ContactForm,
  application: ApplicationForm,
};

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const CONTROLS = 'input, select, textarea';
/** What may hold a text in a form. */
const TEXTS = 'label, option, button, p, b, span';

const find = <Found extends Element>(scope: Element, selector: string) => [...scope.querySelectorAll<Found>(selector)];

/**
 * Takes over the island of a page. Where React finds other elements than were
 * prerendered, an extension's for example, it draws the island anew: then the visitor's part is carried over.
 */
export function hydrate(island: HTMLElement): void {
  const Form = FORMS[island.dataset.island as IslandProps['name']];
  const controls = find<Control>(island, CONTROLS).filter(({ name }) => name);
  const texts = find(island, TEXTS);
  let focused = document.activeElement;
  island.addEventListener('focusin', ({ target }) => (focused = target as Element));

  const carryOver = () => {
    if (controls.every(({ isConnected }) => isConnected)) return;
    for (const old of controls) {
      const control = island.querySelector<Control>(`[name="${old.name}"]`);
      if (!control) continue;
      if (old.type === 'file') (control as HTMLInputElement).files = (old as HTMLInputElement).files;
      else control.value = old.value;
      if (old === focused) focus(control, old);
    }
    // The words that were there are perhaps a translation.
    const drawn = find(island, TEXTS);
    if (drawn.length !== texts.length) return;
    for (const [index, element] of drawn.entries()) {
      if (element.childElementCount === 0) element.replaceChildren(...(texts[index]?.childNodes ?? []));
    }
  };

  // In pieces: React lets the browser see to the visitor between them.
  startTransition(() => void hydrateRoot(island, createElement(Form), { onRecoverableError: carryOver }));
}

/** With the caret where it was. */
function focus(control: Control, old: Control): void {
  control.focus({ preventScroll: true });
  if ('setSelectionRange' in control && old.type !== 'email') {
    const { selectionStart, selectionEnd } = old as HTMLInputElement;
    control.setSelectionRange(selectionStart, selectionEnd);
  }
}
