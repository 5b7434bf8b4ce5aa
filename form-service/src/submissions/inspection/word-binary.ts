import { CompoundFile } from './compound-file.ts';
import type { Finding } from './inspect-resume.ts';
import { MACROS } from './warnings.ts';
import { DamagedFileError, type RandomAccessFile } from './random-access-file.ts';

/** Word's own mark at the start of its main stream ([MS-DOC] 2.5.2, wIdent), and the flag "encrypted" after it. */
const WORD_MARK = 0xa5ec;
const ENCRYPTED_FLAG = 0x0100;

/** A .doc is a Compound File with a `WordDocument` stream; workbooks, slides and installers are Compound Files, too. */
export async function inspectWordBinary(file: RandomAccessFile): Promise<Finding> {
  if (!(await CompoundFile.isOne(file))) return { kind: 'other' };
  const container = await CompoundFile.open(file);
  const main = container.find('WordDocument');
  if (!main?.isStream) return { kind: 'other' };
  const head = await container.streamHead(main, 12);
  if (head?.readUInt16LE(0) !== WORD_MARK) throw new DamagedFileError('no Word mark');
  if (head.readUInt16LE(10) & ENCRYPTED_FLAG) return { kind: 'password' };
  const hasMacros = container.entries.some(({ name }) => name === 'Macros' || name === '_VBA_PROJECT');
  return { kind: 'document', warnings: hasMacros ? [MACROS] : [] };
}
