import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { normalizePath, type Plugin } from 'vite';
import { ContentError, mistake } from './content/findings.ts';
import { colourToken } from './brand.ts';
import { avifOptions, FALLBACK_WIDTH, hashOf, IMAGES, JPEG, readImages, type ImageFacts } from './images.ts';
import { REPOSITORY } from './paths.ts';

const MODULE = 'virtual:images';
const RESOLVED = `\0${MODULE}`;
const SVG = 'image/svg+xml';

/**
 * Provides the facts about the pictures in `content/images` as `virtual:images`. A build emits the drawings, and
 * {@link encodePhotos} encodes the rest. In development each file is made on request.
 */
export function images(): Plugin {
  return {
    name: 'images',
    resolveId: (id) => (id === MODULE ? RESOLVED : undefined),
    load: (id) =>
      id === RESOLVED ? `export default ${JSON.stringify(Object.fromEntries(readImages().images))}` : undefined,
    async generateBundle() {
      if (this.environment.name !== 'client') return;
      for (const { address, type, make } of variants())
        if (type === SVG) this.emitFile({ type: 'asset', fileName: address.slice(1), source: await make() });
    },
    hotUpdate({ file, modules }) {
      const module = this.environment.moduleGraph.getModuleById(RESOLVED);
      return module && file.startsWith(normalizePath(IMAGES)) ? [...modules, module] : undefined;
    },
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        const path = new URL(request.url ?? '/', 'http://localhost').pathname;
        if (!/^\/(?:assets\/)?images\//.test(path)) return next();
        try {
          const variant = variants().find(({ address }) => address === path);
          if (!variant) return next();
          response.setHeader('Content-Type', variant.type).end(await variant.make());
        } catch (error) {
          next(error);
        }
      });
    },
  };
}

/** A file to serve. */
interface Variant {
  readonly address: string;
  readonly type: string;
  make(): Promise<Uint8Array>;
}

const variants = () => [...readImages().images.values()].flatMap((facts) => variantsOf(facts));

function variantsOf({ file, src, avif, drawing }: ImageFacts, folder = IMAGES): readonly Variant[] {
  const master = join(folder, file);
  if (drawing) return [];
  if (avif.length === 0) return [{ address: src, type: SVG, make: () => readFile(master) }];
  let pixels: ReturnType<typeof decode> | undefined;
  const scaled = async (width: number) => {
    const { data, info } = await (pixels ??= decode(master).catch(() => {
      throw new ContentError([mistake(`images/${file}`, 1, 'is damaged: copy it again, or export it again')]);
    }));
    return sharp(data, { raw: info }).resize({ width, withoutEnlargement: true });
  };
  return [
    ...avif.map(({ width, address }) => ({
      address,
      type: 'image/avif',
      make: () => cache(basename(address), async () => (await scaled(width)).avif(avifOptions(width)).toBuffer()),
    })),
    {
      address: src,
      type: 'image/jpeg',
      make: async () =>
        cache(`${hashOf(await readFile(master), JSON.stringify(JPEG))}.jpg`, async () =>
          (await scaled(FALLBACK_WIDTH))
            .flatten({ background: colourToken('surface') })
            .jpeg(JPEG)
            .toBuffer(),
        ),
    },
  ];
}

const CACHE = join(REPOSITORY, 'node_modules/.cache/site-pictures');

/**
 * Returns the result of `make`, which is kept between builds.
 *
 * @param name file name with a hash of everything that `make` depends on
 */
async function cache(name: string, make: () => Promise<Uint8Array>): Promise<Uint8Array> {
  const file = join(CACHE, name);
  const kept = await readFile(file).catch(() => undefined);
  if (kept) return kept;
  const made = await make();
  await mkdir(CACHE, { recursive: true });
  // Atomic write: a build that stops here leaves no partial file, and two pages may make the same file at once.
  const unfinished = `${file}.${randomUUID()}`;
  await writeFile(unfinished, made);
  await rename(unfinished, file);
  return made;
}

/** Rotated upright, in sRGB, and without metadata of the camera, such as the location. */
const decode = (master: string) =>
  sharp(master).autoOrient().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });

/**
 * Encodes the photos in all sizes and formats, two photos at a time. That limits memory, and leaves two of libuv's four
 * threads to the rest of the build.
 */
export async function encodePhotos(folder = IMAGES): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  const left = readImages(folder).images.values();
  const encodeLeft = async () => {
    for (const facts of left)
      for (const { address, make } of variantsOf(facts, folder).filter(({ type }) => type !== SVG))
        files.set(address, await make());
  };
  await Promise.all([encodeLeft(), encodeLeft()]);
  return files;
}
