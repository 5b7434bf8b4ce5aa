type Hidden = Record<symbol, unknown>;

/** Returns the object that jsdom keeps behind a DOM object. */
const behind = (object: object) => (object as Hidden)[Object.getOwnPropertySymbols(object)[0] as symbol];

/** Chooses files like a visitor, for which jsdom has no API. Emptying the control removes them, as in a browser. */
export function setFiles(control: HTMLInputElement, files: readonly File[]): void {
  control.value = '';
  (behind(control.files as FileList) as unknown[]).push(...files.map(behind));
}
