import fc from 'fast-check';
import { RESUME_MAX_BYTES } from '../../src/contract/protocol.ts';
import { readGeneratedFiles } from './generated-files.ts';

const files = await readGeneratedFiles();

/** Numbers and words that are known to confuse parsers. */
const TRICKS = [
  ...[0, 1, 0x7fff, 0xffff, 0x7fffffff, 0xfffffffe, 0xffffffff].map((number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(number);
    return bytes;
  }),
  ...[
    '/ObjStm',
    '/JS(',
    '/JavaScript ',
    '/Encrypt 1 0 R',
    '1 0 obj',
    'stream\n',
    'endstream',
    'startxref\n',
    '<<',
    '>>',
    'PK\x05\x06',
    'PK\x01\x02',
    'PK\x03\x04',
    '<Override ',
    '%%EOF',
    '{\\rtf1',
    '\\objdata',
  ].map((text) => Buffer.from(text, 'latin1')),
];

const place = fc.double({ min: 0, max: 1, noNaN: true });
const change = fc.oneof(
  fc.record({
    kind: fc.constant('overwrite' as const),
    at: place,
    bytes: fc.oneof(fc.constantFrom(...TRICKS), fc.uint8Array({ minLength: 1, maxLength: 8 }).map(Buffer.from)),
  }),
  fc.record({ kind: fc.constant('insert' as const), at: place, bytes: fc.constantFrom(...TRICKS) }),
  fc.record({ kind: fc.constant('cut' as const), at: place, length: fc.nat(2_000) }),
  fc.record({
    kind: fc.constant('repeat' as const),
    at: place,
    length: fc.nat(600),
    times: fc.oneof(fc.nat(20), fc.nat(100_000)),
  }),
);

function changed(bytes: Buffer, edit: typeof change extends fc.Arbitrary<infer T> ? T : never): Buffer {
  const at = Math.floor(edit.at * bytes.length);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  if (edit.kind === 'overwrite') return Buffer.concat([before, edit.bytes, after.subarray(edit.bytes.length)]);
  if (edit.kind === 'insert') return Buffer.concat([before, edit.bytes, after]);
  if (edit.kind === 'cut') return Buffer.concat([before, after.subarray(edit.length)]);
  const piece = after.subarray(0, Math.max(1, edit.length));
  const times = Math.min(edit.times, Math.floor((RESUME_MAX_BYTES - bytes.length) / Math.max(1, piece.length)));
  return Buffer.concat([before, ...Array.from({ length: Math.max(0, times) }, () => piece), after]);
}

/** Files of the corpus with random edits, from one byte to 10 MB. */
export const mutatedFile = fc
  .tuple(fc.constantFrom(...files), fc.array(change, { minLength: 1, maxLength: 6 }))
  .map(([[file, content], edits]) => ({
    file,
    edits,
    bytes: edits.reduce(changed, content).subarray(0, RESUME_MAX_BYTES),
  }));
