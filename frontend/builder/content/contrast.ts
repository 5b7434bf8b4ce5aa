import { transform } from 'lightningcss';

/** A browser that knows colours in sRGB only, so that all others are computed for it. */
const TARGETS = { chrome: 80 << 16 };

/** Returns the relative luminances (WCAG 2.2) of CSS colours, such as mixtures, in their order. */
export function luminances(colours: readonly string[]): readonly number[] {
  // With transparency, so that no colour is written by its name.
  const list = colours.map((colour) => `rgb(from ${colour} r g b/50%)`).join();
  const code = Buffer.from(`a{background:linear-gradient(${list})}`);
  // The declaration for that browser is the first one.
  const [computed = ''] = transform({ filename: 'colours.css', code, targets: TARGETS }).code.toString().split(';');
  const found = [...computed.matchAll(/#(\w\w)(\w\w)(\w\w)80\b/g)];
  if (found.length !== colours.length) throw new Error('Not all colours could be computed');
  return found.map(([, ...parts]) => {
    const [red = 0, green = 0, blue = 0] = parts.map((digits) => {
      const part = Number.parseInt(digits, 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  });
}

/** Contrast of two luminances (WCAG 2.2), from 1 to 21. */
export const contrast = (one: number, other: number) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
