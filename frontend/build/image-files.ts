import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { normalizePath, type Plugin } from 'vite';
import { cache, hashOf } from './cache.ts';
import { colourToken } from './brand.ts';
import { avifOptions, FALLBACK_WIDTH, IMAGES, JPEG, readImages, type ImageFacts, type Images } from './images.ts';

const MODULE = 'virtual:images';
const RESOLVED = `\0${MODULE}`;

/**
 * Encodes the pictures in `content/images` in several sizes and formats: all of them in a build, and each on request in
 * development. `virtual:images` exports their attributes.
 */
export function images(): Plugin {
  let encoded: Promise<readonly (readonly [address: string, content: Uint8Array])[]> | undefined;
  return {
    name: 'images',
    resolveId: (id) => (id === MODULE ? RESOLVED : undefined),
    load: (id) => (id === RESOLVED ? `export default ${JSON.stringify(pageFacts(readImages()))}` : undefined),
    async buildStart() {
      if (this.environment.mode !== 'build' || this.environment.name !== 'client') return;
      const found = readImages();
      encoded = encodeAll(found);
      // A failure is reported where the result is awaited. Until then it is not an unhandled rejection.
      encoded.catch(() => {});
    },
    async generateBundle() {
      for (const [address, source] of (await encoded) ?? [])
        this.emitFile({ type: 'asset', fileName: address.slice(1), source });
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
          const variant = [...readImages().images.values()].flatMap(variantsOf).find(({ address }) => address === path);
          if (!variant) return next();
          response.setHeader('Content-Type', variant.type).end(await variant.make());
        } catch (error) {
          next(error);
        }
      });
    },
  };
}

/** Export of {@link MODULE}: the attributes of each picture, by name. */
export interface PageImage {
  readonly width: number;
  readonly height: number;
  readonly src: string;
  /** `srcset` of its AVIF files. */
  readonly avif?: string;
  /** Source of a drawing that is inlined into the page. */
  readonly svg?: string;
}

const pageFacts = ({ images }: Images): Record<string, PageImage> =>
  Object.fromEntries(
    [...images].map(([name, { width, height, src, avif, file }]) => [
      name,
      {
        width,
        height,
        src,
        avif: avif.map((variant) => `${variant.address} ${variant.width}w`).join(', ') || undefined,
        svg: isPartOfPage(file) ? readFileSync(join(IMAGES, file), 'utf8') : undefined,
      },
    ]),
  );

const isPartOfPage = (file: string) => file.startsWith('drawings/') && file.endsWith('.svg');

/** A file to serve. */
interface Variant {
  readonly address: string;
  readonly type: string;
  make(): Promise<Uint8Array>;
}

function variantsOf({ file, src, avif }: ImageFacts): readonly Variant[] {
  const master = join(IMAGES, file);
  if (isPartOfPage(file)) return [];
  if (avif.length === 0) return [{ address: src, type: 'image/svg+xml', make: () => readFile(master) }];
  let pixels: ReturnType<typeof decode> | undefined;
  const scaled = async (width: number) => {
    const { data, info } = await (pixels ??= decode(master));
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

/** Rotated upright, in sRGB, and without metadata of the camera, such as the location. */
const decode = (master: string) =>
  sharp(master).autoOrient().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });

/** One picture at a time, to limit memory: all of their pixels at once would not fit. */
async function encodeAll({ images }: Images): Promise<readonly (readonly [string, Uint8Array])[]> {
  const files: (readonly [string, Uint8Array])[] = [];
  for (const facts of images.values())
    files.push(
      ...(await Promise.all(variantsOf(facts).map(async ({ address, make }) => [address, await make()] as const))),
    );
  return files;
}
