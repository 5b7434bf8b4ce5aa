import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Theme } from './options.ts';

/** One picture of the run: a page at a width in a theme. */
export interface Shot {
  readonly path: string;
  readonly width: number;
  readonly theme: Theme;
}

/** The folder of the pictures: the latest of every shot, and the one before it. */
export class Gallery {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Name of a shot's file inside the gallery, for example `latest/services-agentic-ai-375-dark.png`. */
  fileOf({ path, width, theme }: Shot, run: 'latest' | 'previous' = 'latest'): string {
    const page = path === '/' ? 'home' : path.slice(1).replaceAll('/', '-');
    return `${run}/${page}-${width}-${theme}.png`;
  }

  pathOf(shot: Shot, run: 'latest' | 'previous' = 'latest'): string {
    return join(this.folder, this.fileOf(shot, run));
  }

  /** Makes room for a new picture: the one from the last run becomes the previous one. */
  async retire(shot: Shot): Promise<void> {
    const latest = this.pathOf(shot);
    const previous = this.pathOf(shot, 'previous');
    await mkdir(dirname(latest), { recursive: true });
    await mkdir(dirname(previous), { recursive: true });
    if (existsSync(latest)) await rename(latest, previous);
  }
}
