import type { Page } from './content/schema.ts';

/** Opens the source of a section in the editor, at its line, on a click with Alt. */
const OPEN_ON_ALT_CLICK = `<script type="module">
addEventListener('click', (event) => {
  const source = event.altKey && event.target.closest('[data-source]')?.dataset.source;
  if (!source) return;
  event.preventDefault();
  fetch('/__open-in-editor?file=' + encodeURIComponent(source));
}, true);
</script>`;

/** Adds its file and line to each section of a page, in development. */
export function withSources(html: string, { sections, sources }: Page, folder: string): string {
  let index = -1;
  const named = html.replaceAll(/ data-(?:hero|section)="([\w-]+)"/g, (attribute, kind) => {
    // A section may render no element, or two.
    const next = sections.findIndex((section, place) => place > index && section.kind === kind);
    if (next >= 0) index = next;
    return `${attribute} data-source="${folder}/${sources[index + 1]}"`;
  });
  return named.replace('</body>', () => `${OPEN_ON_ALT_CLICK}</body>`);
}
