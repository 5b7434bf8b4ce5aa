import { inflateSync } from 'node:zlib';

/** Text or image on a sheet. */
interface Mark {
  /** Height above the lower edge, in points. */
  readonly y: number;
  /** Font size in points, 0 for an image. */
  readonly size: number;
}

/** A heading of the document's outline, which Chromium makes of `h1` to `h6`. */
export interface Heading {
  readonly title: string;
  /** 1 for the page's title. */
  readonly level: number;
  /** Index of its sheet. */
  readonly sheet: number;
  /** Texts and images below its upper edge on the same sheet, from top to bottom. */
  readonly below: readonly Mark[];
}

/** Returns the sheets of a PDF by Chromium and its headings. */
export function readPdf(pdf: Buffer): Readonly<{ sheets: readonly (readonly Mark[])[]; headings: readonly Heading[] }> {
  const objects = new Map(
    Array.from(pdf.toString('latin1').matchAll(/^(\d+) 0 obj\n([^]*?)\nendobj/gm), ([, id = '', body = '']) => [
      id,
      body,
    ]),
  );
  const pages = [...objects].filter(([, body]) => /\/Type \/Page\b/.test(body));
  const sheets = pages.map(([, body]) =>
    marksOf(contentOf(objects.get(/\/Contents (\d+)/.exec(body)?.[1] ?? '') ?? '')),
  );
  const levelOf = (body: string): number => {
    const parent = objects.get(/\/Parent (\d+)/.exec(body)?.[1] ?? '');
    return parent === undefined ? 0 : 1 + levelOf(parent);
  };
  const headings = [...objects.values()].flatMap((body) => {
    const [, page, top = ''] = /\/Dest \[(\d+) 0 R \/XYZ \S+ (\S+) /.exec(body) ?? [];
    const sheet = pages.findIndex(([id]) => id === page);
    if (sheet === -1) return [];
    const title = /\/Title (.*)/.exec(body)?.[1] ?? '';
    const below = (sheets[sheet] ?? []).filter(({ y }) => y < Number(top));
    return [{ title, level: levelOf(body), sheet, below }];
  });
  // The outline lists children before their parent.
  return { sheets, headings: headings.toSorted((a, b) => a.sheet - b.sheet || b.below.length - a.below.length) };
}

function contentOf(object: string): string {
  const stream = object.slice(object.indexOf('stream\n') + 7, object.lastIndexOf('\nendstream'));
  return inflateSync(Buffer.from(stream, 'latin1')).toString('latin1');
}

/** Returns texts and images from top to bottom. Follows scale and place only: what is turned is part of a drawing. */
function marksOf(content: string): readonly Mark[] {
  const marks: Mark[] = [];
  const stack: { scale: number; offset: number }[] = [];
  let [scale, offset, size] = [1, 0, 0];
  let numbers: number[] = [];
  for (const token of content.split(/\s+/)) {
    const number = Number(token);
    if (!Number.isNaN(number)) {
      numbers.push(number);
      continue;
    }
    const [y = 0, vertical = 1] = [numbers.at(-1), numbers.at(-3)];
    if (token === 'q') stack.push({ scale, offset });
    else if (token === 'Q') ({ scale, offset } = stack.pop() ?? { scale, offset });
    else if (token === 'cm') [scale, offset] = [scale * vertical, scale * y + offset];
    else if (token === 'Tf') size = y;
    else if (token === 'Tm') marks.push({ y: scale * y + offset, size: Math.round(size * Math.abs(scale)) });
    else if (token === 'Do') marks.push({ y: offset, size: 0 });
    numbers = [];
  }
  return marks.toSorted((a, b) => b.y - a.y);
}
