/** Returns the accessible description of an element: the texts that its `aria-describedby` names, in their order. */
export const descriptionOf = (element: Element) =>
  (element.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ');
