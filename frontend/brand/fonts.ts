import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { licence, outlines, webFont, WEIGHTS } from './display-face.ts';
import { fallbackMetrics } from './fallback-metrics.ts';
import { STYLES } from './folders.ts';

export const FILE = 'kitewright-display.woff2';

/** Writes the display face, its licence and the two `@font-face` rules. */
export async function writeFonts(): Promise<void> {
  const folder = join(STYLES, 'fonts');
  await mkdir(folder, { recursive: true });
  await Promise.all([
    writeFile(join(folder, FILE), await webFont()),
    writeFile(join(folder, 'OFL.txt'), await licence()),
    writeFile(join(STYLES, 'fonts.css'), await fontFaces()),
  ]);
}

async function fontFaces(): Promise<string> {
  const { sizeAdjust, ascentOverride, descentOverride } = fallbackMetrics(await outlines(WEIGHTS.default));
  return `/* Written by \`npm run brand\`. Bricolage Grotesque (SIL Open Font License 1.1, see fonts/OFL.txt), subset. */
@font-face {
  font-family: "Kitewright Display";
  src: url("./fonts/${FILE}") format("woff2");
  font-weight: ${WEIGHTS.min} ${WEIGHTS.max};
  font-style: normal;
  /* Never swapped in late by the browser: boot/display-font.ts turns it on once it is there. */
  font-display: optional;
}

/* Arial and its metric twins, scaled to the display face's mean width and line box. */
@font-face {
  font-family: "Kitewright Display Fallback";
  src: local("Arial Bold"), local("Arial-BoldMT"), local("Helvetica Bold"), local("Helvetica-Bold"), local("Liberation Sans Bold"),
    local("Arimo Bold"), local("Roboto Bold"), local("Arial");
  font-weight: ${WEIGHTS.min} ${WEIGHTS.max};
  size-adjust: ${sizeAdjust}%;
  ascent-override: ${ascentOverride}%;
  descent-override: ${descentOverride}%;
  line-gap-override: 0%;
}
`;
}
