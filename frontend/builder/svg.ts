import { SaxesParser } from 'saxes';

/** Parts of an SVG, for pages that inline it. */
export interface Svg {
  readonly viewBox: string;
  readonly width: number;
  readonly height: number;
  /** Attributes of the root, as they are written. */
  readonly root: string;
  readonly inner: string;
}

const NAMESPACE = 'http://www.w3.org/2000/svg';

/** Parts that the security policy of the pages stops, so that the drawing looks otherwise there than in an editor. */
const STOPPED = /^(?:style|script|foreignObject)$/;
const STOPPED_ATTRIBUTE = /^(?:style$|on)/;

/**
 * Reads an SVG as XML.
 *
 * @param isInline whether it becomes part of a page, whose security policy it has to keep
 * @throws if browsers would draw nothing, or something else, with advice
 */
export function readSvg(content: string, isInline: boolean): Svg {
  const source = content.replaceAll(/<!--.*?-->/gs, '');
  const refused: string[] = [];
  let root = { viewBox: '', end: 0 };
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', ({ message }) => {
    throw new Error(`cannot be read as SVG (${message}): export it again`);
  });
  parser.on('opentag', ({ name, local, uri, attributes }) => {
    const isRoot = root.end === 0;
    if (isRoot && (name !== 'svg' || uri !== NAMESPACE))
      throw new Error(`does not begin with <svg xmlns="${NAMESPACE}">, without which browsers draw nothing`);
    if (isRoot) root = { viewBox: attributes.viewBox?.value ?? '', end: parser.position };
    if (isInline && STOPPED.test(local)) refused.push(`a ${local} element`);
    for (const { name: attribute, local: kind, value } of Object.values(attributes)) {
      if (isInline && !isRoot && STOPPED_ATTRIBUTE.test(attribute)) refused.push(`an attribute ${attribute}`);
      if (kind === 'href' && !/^(?:#|data:)/.test(value)) refused.push(`a link to ${value}`);
    }
  });
  parser.write(source).close();
  const { viewBox, end } = root;
  const [, , width = 0, height = 0] = viewBox
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  if (!(width > 0 && height > 0))
    throw new Error('has no viewBox with four numbers: export it again as an SVG that has one');
  if (refused[0])
    throw new Error(
      `has ${refused[0]}, which the security policy of the pages stops: export it with presentation attributes`,
    );
  const begin = source.lastIndexOf('<svg', end) + '<svg'.length;
  return {
    viewBox,
    width,
    height,
    root: source.slice(begin, end - 1),
    inner: source.slice(end, source.lastIndexOf('</svg')),
  };
}
