export type Svg = ReturnType<typeof readSvg>;

/**
 * Returns the parts of an SVG, for pages that inline it. `root` has the attributes of the root, as they are written.
 *
 * @throws if pages cannot draw it, with advice
 */
export function readSvg(content: string) {
  const [, root = '', inner = ''] = /<svg\b([^>]*)>(.*)<\/svg>/s.exec(content.replaceAll(/<!--.*?-->/gs, '')) ?? [];
  const viewBox = /\sviewBox=["']([^"']+)/.exec(root)?.[1] ?? '';
  const [, , width = 0, height = 0] = viewBox
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  if (!(width > 0 && height > 0))
    throw new Error('has no viewBox with four numbers: export it again as an SVG that has one');
  return { viewBox, width, height, root, inner };
}
