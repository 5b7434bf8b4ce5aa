import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readSync } from 'node:fs';

/** First line of a script for sh, dash or bash. */
const SHEBANG = /^#!.*[/ ](?:ba|da)?sh\b/;
const SHEBANG_MAX_BYTES = 64;

/** Returns the shell scripts of the repository, by their first line. Few have an extension. */
export function shellScripts(): string[] {
  const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0');
  // A deleted file stays listed until the deletion is staged.
  return files.filter((file) => existsSync(file) && SHEBANG.test(beginningOf(file)));
}

function beginningOf(file: string): string {
  const descriptor = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(SHEBANG_MAX_BYTES);
    return buffer.toString('utf8', 0, readSync(descriptor, buffer));
  } finally {
    closeSync(descriptor);
  }
}
