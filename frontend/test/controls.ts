import { markedLabel, type Form } from 'form-service/contract/define-form';

/** Labels of the fields of a form by name, as they are drawn. */
export const labelsOf = ({ fields }: Form): Readonly<Record<string, string>> =>
  Object.fromEntries(fields.map((field) => [field.name, markedLabel(field)]));

type Hidden = Record<symbol, unknown>;

/** Returns the object that jsdom keeps behind a DOM object. */
const behind = (object: object) => (object as Hidden)[Object.getOwnPropertySymbols(object)[0] as symbol];

/** Chooses files like a visitor, for which jsdom has no API. Emptying the control removes them, as in a browser. */
export function setFiles(control: HTMLInputElement, files: readonly File[]): void {
  control.value = '';
  (behind(control.files as FileList) as unknown[]).push(...files.map(behind));
}

/** Returns the accessible description of an element: the texts that its `aria-describedby` names, in their order. */
export const descriptionOf = (element: Element) =>
  (element.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ');
