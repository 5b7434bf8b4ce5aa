import { randomBytes } from 'node:crypto';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PIECE_BYTES, scanPdf } from './pdf-scan.ts';
import { RandomAccessFile } from './random-access-file.ts';
import { ENCLOSES, LAUNCHES, SCRIPTS } from './warnings.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** An object stream that holds this text. */
const packed = (text: string, type = '/Type/ObjStm') => Buffer.concat([latin1(`7 0 obj<<${type}/N 1/First 4/Filter/FlateDecode>>stream\r\n`), deflateSync(latin1(text)), latin1('\nendstream endobj\n')]);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kitewright-pdf-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** What the scan says, and the most that it held of the file at a time. */
async function scanned(bytes: Buffer): Promise<{ warnings: string[]; largestRead: number }> {
  const path = join(folder, 'file.pdf');
  await writeFile(path, bytes);
  const handle = await open(path);
  let largestRead = 0;
  class Watched extends RandomAccessFile {
    override read(position: number, length: number): Promise<Buffer> {
      largestRead = Math.max(largestRead, length);
      return super.read(position, length);
    }
  }
  try {
    return { warnings: await scanPdf(new Watched(handle, path, bytes.length)), largestRead };
  } finally {
    await handle.close();
  }
}
const warningsOf = async (content: string | Buffer) => (await scanned(Buffer.isBuffer(content) ? content : latin1(content))).warnings;

const ACTIVE: readonly (readonly [written: string, warning: string])[] = [
  ['<</S/JavaScript/JS(app.alert\\(1\\))>>', SCRIPTS],
  ['<< /S /JavaScript /JS 12 0 R >>', SCRIPTS],
  ['<</JS <6170702e616c657274>/X 1>>', SCRIPTS],
  ['<</Names<</Dests 3 0 R/JavaScript 4 0 R>>>>', SCRIPTS],
  ['<</#53/J#61va#53cript/X 1>>', SCRIPTS],
  ['<</S/#4aavaScript>>', SCRIPTS],
  ['<</Type/Action/S/Launch/F(cmd.exe)>>', LAUNCHES],
  ['<</Names<</EmbeddedFiles 4 0 R>>>>', ENCLOSES],
  ['<</Type/EmbeddedFile/Length 3>>', ENCLOSES],
];

const ORDINARY = [
  '<</Type/Catalog/OpenAction[3 0 R/XYZ null null 0]>>',
  '<</Keywords(HTML/CSS/JavaScript)/Title(React/JS \\(3 years\\))>>',
  'BT (TypeScript/JavaScript, HTML/JS (modern)) Tj ET',
  '<</JSX 1/JavaScripts 2/Launcher 3/EmbeddedFilesystem 4>>',
  '<</Type/ObjStm/N 1>>stream\nnot packed endstream',
  '/ObjStm',
];

describe('the scan of a PDF', () => {
  it.each(ACTIVE)('finds %s', async (written, warning) => {
    expect(await warningsOf(`1 0 obj${written}endobj`)).toEqual([warning]);
  });

  it.each(ACTIVE)('finds %s in an object stream', async (written, warning) => {
    for (const type of ['/Type/ObjStm', '/Type /ObjStm', '/Type/#4fbjStm']) expect(await warningsOf(packed(`1 0 ${written}`, type))).toEqual([warning]);
  });

  it.each(ORDINARY)('finds nothing in %s', async (written) => {
    expect(await warningsOf(written)).toEqual([]);
    expect(await warningsOf(packed(written))).toEqual([]);
  });

  it('finds everything there is, once', async () => {
    expect(await warningsOf(ACTIVE.map(([written]) => written).join('\n'))).toEqual([ENCLOSES, LAUNCHES, SCRIPTS].toSorted());
  });

  it('finds it wherever it lies, also on a border between two pieces', async () => {
    const [written] = ACTIVE[0] ?? [''];
    for (let before = PIECE_BYTES - written.length - 2; before <= PIECE_BYTES + 2; before++) {
      expect([before, await warningsOf(Buffer.concat([Buffer.alloc(before, ' '), latin1(written)]))]).toEqual([before, [SCRIPTS]]);
    }
    const stream = packed(written);
    for (let before = PIECE_BYTES - 80; before <= PIECE_BYTES + 2; before += 3) {
      expect([before, await warningsOf(Buffer.concat([Buffer.alloc(before, ' '), stream]))]).toEqual([before, [SCRIPTS]]);
    }
  });

  it('finds it in an object stream that is cut short, or followed by anything', async () => {
    const text = `${'x'.repeat(50)} <</S/JavaScript>> `;
    const noise = randomBytes(3_000);
    expect(await warningsOf(packed(`${text}${noise.toString('latin1')}`).subarray(0, -2_000))).toEqual([SCRIPTS]);
    expect(await warningsOf(Buffer.concat([packed(text), noise]))).toEqual([SCRIPTS]);
  });

  it('is the same however the names are spelt', async () => {
    const spelt = (name: string) => fc.array(fc.integer({ min: 0, max: 2 }), { minLength: name.length, maxLength: name.length }).map((ways) => [...name].map((letter, at) => spell(letter, ways[at])).join(''));
    await fc.assert(fc.asyncProperty(spelt('JavaScript'), async (name) => expect(await warningsOf(`<</S/${name}>>`)).toEqual([SCRIPTS])));
  });

  it('survives anything', async () => {
    const bit = fc.oneof(fc.constantFrom('/ObjStm', '/JS', 'stream\n', 'endstream', '<<', '>>', '#', '/', '(', ')'), fc.string({ unit: 'binary', maxLength: 20 }));
    await fc.assert(
      fc.asyncProperty(fc.array(bit, { maxLength: 60 }), async (bits) => {
        for (const warning of await warningsOf(Buffer.from(bits.join('')))) expect([ENCLOSES, LAUNCHES, SCRIPTS]).toContain(warning);
      }),
    );
  });

  it('holds little of a file at a time, and unpacks a bounded part of a bomb', async () => {
    const bombs = Buffer.concat(Array.from({ length: 60 }, () => packed('/JSX '.repeat(1_000_000))));
    const before = process.memoryUsage().arrayBuffers;
    const { warnings, largestRead } = await scanned(bombs);
    expect(warnings).toEqual([]);
    expect(largestRead).toBeLessThan(PIECE_BYTES + 2_000);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
  });
});

function spell(letter: string, way = 0): string {
  const hex = letter.charCodeAt(0).toString(16);
  return way === 0 ? letter : `#${way === 1 ? hex : hex.toUpperCase()}`;
}
