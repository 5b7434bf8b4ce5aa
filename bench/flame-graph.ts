import type { Frame } from './cpu-profile.ts';

const WIDTH = 1200;
const ROW = 17;
const CHAR = 6.4;
/** Narrower frames, in pixels, are left out with what they called. */
const NARROWEST = 2.5;

const COLOURS = { ours: '#e8663d', library: '#8fc1e3', node: '#c9d6c3', engine: '#d8d3ca' };

/** A flame graph as SVG: the callers below, the called above, as wide as the time spent; hovering tells names and shares. */
export function flameGraph(title: string, root: Frame): string {
  const boxes: string[] = [];
  let deepest = 0;
  const draw = (frame: Frame, left: number, depth: number) => {
    const width = (frame.time / root.time) * WIDTH;
    if (width < NARROWEST) return;
    deepest = Math.max(deepest, depth);
    boxes.push(box(frame, left, depth, width, frame.time / root.time));
    let x = left;
    for (const child of [...frame.children.values()].toSorted((a, b) => b.time - a.time)) {
      draw(child, x, depth + 1);
      x += (child.time / root.time) * WIDTH;
    }
  };
  draw(root, 0, 0);
  const height = (deepest + 1) * ROW + 44;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="ui-monospace, monospace" font-size="11">
<rect width="100%" height="100%" fill="#fff"/><text x="6" y="18" font-size="14">${escaped(title)}</text>
<text x="6" y="34"><tspan fill="#b8431c">■ ours</tspan> <tspan fill="#3f86b5">■ libraries</tspan> <tspan fill="#6f8a63">■ Node.js</tspan> <tspan fill="#8a8272">■ V8 and system calls</tspan></text>
<g transform="translate(0 ${height - ROW}) scale(1 -1)">${boxes.join('\n')}</g></svg>\n`;
}

function box({ name, owner }: Frame, left: number, depth: number, width: number, share: number): string {
  const y = depth * ROW;
  const label = width > 3 * CHAR ? name.slice(0, Math.floor((width - 4) / CHAR)) : '';
  const text =
    label && `<text transform="translate(${(left + 2).toFixed(1)} ${y + 4}) scale(1 -1)">${escaped(label)}</text>`;
  const hint = `<title>${escaped(name)}${owner && `, ${escaped(owner)}`}: ${(share * 100).toFixed(1)} %</title>`;
  return `<g>${hint}<rect x="${left.toFixed(1)}" y="${y}" width="${(width - 0.3).toFixed(1)}" height="${ROW - 1}" fill="${colourOf(owner)}"/>${text}</g>`;
}

function colourOf(owner: string): string {
  if (owner === '') return COLOURS.engine;
  if (owner.startsWith('node:')) return COLOURS.node;
  return owner.endsWith('.js') && !owner.startsWith('@') && owner.includes('/') ? COLOURS.ours : COLOURS.library;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
