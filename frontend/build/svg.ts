import { SaxesParser } from 'saxes';

/** An SVG by its parts, for pages that inline it. */
export interface Svg {
  readonly viewBox: string;
  readonly width: number;
  readonly height: number;
  /** Attributes of the root, as they are written. */
  readonly root: string;
  /** Elements within the root. */
  readonly inner: string;
}

const NAMESPACE = 'http://www.w3.org/2000/svg';
const SHAPES = /^(?:path|rect|circle|ellipse|line|polyline|polygon|text|image|use)$/;

/** Parts that the security policy of the pages stops, so that the drawing looks otherwise there than in an editor. */
const STOPPED = /^(?:style|script|foreignObject)$/;
const STOPPED_ATTRIBUTE = /^(?:style$|on)/;

/**
 * Reads an SVG as XML.
 *
 * @param isInline whether it becomes part of a page; others are files, whose styles and scripts concern themselves only
 * @throws if browsers would draw nothing, or something else, with advice
 */
export function readSvg(content: string, { isInline }: { readonly isInline: boolean }): Svg {
  const source = content.replaceAll(/<!--.*?-->/gs, '');
  const parser = new SaxesParser({ xmlns: true });
  let root: { readonly viewBox: string; readonly end: number } | undefined;
  let hasShape = false;
  let refused: string | undefined;
  parser.on('error', ({ message }) => {
    throw new Error(`cannot be read as SVG (${message}): export it again`);
  });
  parser.on('opentag', ({ name, local, uri, attributes }) => {
    if (!root && (name !== 'svg' || uri !== NAMESPACE))
      throw new Error(`does not begin with <svg xmlns="${NAMESPACE}">, without which browsers draw nothing`);
    if (!root) {
      root = { viewBox: attributes.viewBox?.value ?? '', end: parser.position };
      return;
    }
    hasShape ||= SHAPES.test(local);
    if (isInline && STOPPED.test(local)) refused ??= `a ${local} element`;
    for (const { name: attribute, local: kind, value } of Object.values(attributes)) {
      if (isInline && STOPPED_ATTRIBUTE.test(attribute)) refused ??= `an attribute ${attribute}`;
      if (kind === 'href' && !/^(?:#|data:)/.test(value)) refused ??= `a link to ${value}`;
    }
  });
  parser.write(source).close();
  const [, , width = 0, height = 0] = (root?.viewBox ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  if (!root || !(width > 0 && height > 0))
    throw new Error('has no viewBox with four numbers: export it again as an SVG that has one');
  if (refused !== undefined)
    throw new Error(
      `has ${refused}, which the security policy of the pages stops: export it with presentation attributes`,
    );
  if (!hasShape) throw new Error('draws nothing: it has no path or other shape');
  return {
    viewBox: root.viewBox,
    width,
    height,
    root: source.slice(source.lastIndexOf('<svg', root.end) + '<svg'.length, root.end).replace(/\/?>$/, ''),
    inner: source.slice(root.end, source.lastIndexOf('</svg')),
  };
}
