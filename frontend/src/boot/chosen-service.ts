/** Chooses the service that a link to the enquiry form names, such as /contact?service=Web%20Development, unless one is chosen already. */
export function chooseService(): void {
  const wanted = new URLSearchParams(location.search).get('service');
  const select = document.querySelector<HTMLSelectElement>('select[name=service]');
  if (select?.value === '' && [...select.options].some(({ value }) => value === wanted)) select.value = wanted ?? '';
}
