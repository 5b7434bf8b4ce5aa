import { lowContrasts } from '../../frontend/builder/content/brand-mistakes.ts';
import type { BrandFile } from '../../frontend/builder/content/schema.ts';

/** Steps from the company's colour to black or white. */
const STEPS = 20;

/** Share of the dark colour in the ground under the text of a banner. */
const GROUND = 0.88;

/**
 * Returns the values of brand.yaml that a company's colour decides: buttons, links in mails, and the first accent. Each theme
 * has the nearest shade whose contrasts are sufficient.
 */
export function brandValues(brand: BrandFile, colour: string): ReadonlyMap<string, string> {
  const [accent = ''] = Object.keys(brand.hues);
  const ground = mix(colour, brand.colours.night.dark, GROUND);
  const withShades = (light: string, dark: string) => ({
    ...brand,
    colours: {
      ...brand.colours,
      signal: { light, dark },
      signalStrong: { light: mix(light, '#000000', 0.2), dark: mix(dark, '#ffffff', 0.2) },
      link: { light, dark },
    },
    hues: { ...brand.hues, [accent]: { light, dark, ground } },
  });
  const shade = (theme: 'light' | 'dark') => {
    const end = theme === 'light' ? '#000000' : '#ffffff';
    const shades = Array.from({ length: STEPS }, (_step, index) => mix(colour, end, index / STEPS));
    // The other theme has any colour: its contrasts are not looked at.
    const isGood = (one: string) =>
      ![...lowContrasts(withShades(one, one))].some(
        (found) => found.theme === theme && /^(?:colours\.(?:signal|onSignal|link)|hues\.)/.test(found.path),
      );
    return shades.find(isGood) ?? mix(colour, end, 0.8);
  };
  const { colours, hues } = withShades(shade('light'), shade('dark'));
  const { signal, signalStrong, link } = colours;
  const groups = { 'colours.signal': signal, 'colours.signalStrong': signalStrong, 'colours.link': link };
  return new Map(
    Object.entries({ ...groups, [`hues.${accent}`]: hues[accent] ?? {} }).flatMap(([path, values]) =>
      Object.entries(values).map(([name, value]) => [`${path}.${name}`, value] as const),
    ),
  );
}

const channelsOf = (colour: string) => {
  const digits = colour.length === 4 ? colour.replaceAll(/[^#]/g, '$&$&') : colour;
  return [1, 3, 5].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
};

/** Mixes two colours in sRGB. `share` is that of the second one. */
function mix(colour: string, other: string, share: number): string {
  const others = channelsOf(other);
  const mixed = channelsOf(colour).map((channel, index) => channel * (1 - share) + (others[index] ?? 0) * share);
  return `#${mixed.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;
}
