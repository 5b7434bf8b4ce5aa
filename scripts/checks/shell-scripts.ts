import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryFiles } from './repository-files.ts';

/** First line of a script for sh, dash or bash. */
const SHEBANG = /^#!.*[/ ](?:ba|da)?sh\b/;
const SHEBANG_MAX_BYTES = 64;

/** Returns the shell scripts of the repository, by their first line. Few have an extension. */
export function shellScripts(root = '.'): string[] {
  return repositoryFiles(root).filter((file) => SHEBANG.test(beginningOf(join(root, file))));
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
