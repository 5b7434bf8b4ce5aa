import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

const FOLDER = dirname(createRequire(import.meta.url).resolve('lucide-static/icons/x.svg'));

/** An icon of the Lucide set (lucide.dev/icons); the build puts those that the site shows into one SVG sprite. */
export type IconName = string;

export const iconNames: readonly IconName[] = readdirSync(FOLDER).map((file) => file.replace('.svg', ''));
