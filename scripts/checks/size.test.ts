import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { sizeOf, sizeProblems, sizeText, type Size } from './size.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

const size = (change: Partial<Size> = {}): Size => ({ lines: 100, files: 10, api: 5, worker: 6, cli: 7, ...change });
const changelog = (unreleased: string) => `## [Unreleased]

${unreleased}

## [2.0.0] - 2026-02-02

Size of the service: ${sizeText(size())}.

## [1.0.0] - 2026-01-01

Size of the service: ${sizeText(size({ lines: 1 }))}.
`;

describe('size', () => {
  it('counts lines, files and what an entry point leads to, without tests', () => {
    const root = makeTemporaryFolder();
    const files = {
      'api.ts': "import { a } from './a/a.ts';\nexport type { B } from './a/b.ts';\n",
      'worker.ts': "await import('./a/a.ts');\n",
      'cli.ts': 'const x = 1;\n',
      'a/a.ts': "import type { B } from './b.ts';\n\nexport const a = 1;\n",
      'a/b.ts': 'export type B = 1;\n',
      'a/b.test.ts': 'one\ntwo\n',
      'a/b.integration.ts': 'one\n',
    };
    for (const [name, text] of Object.entries(files)) {
      const path = join(root, 'form-service/src', name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    expect(sizeOf(root)).toEqual({ lines: 8, files: 5, api: 3, worker: 3, cli: 1 });
    rmSync(root, { recursive: true });
  });

  it.each([
    [size(), '', []],
    [size({ lines: 102 }), '', []],
    [size({ lines: 103 }), '', [expect.stringContaining('what lines grew for')]],
    [size({ lines: 90, cli: 8 }), '', [expect.stringContaining('what cli grew for')]],
    [size({ lines: 103 }), '- Size: for a reason', []],
  ])('needs a reason > more than two percent above the latest version > %#', (now, unreleased, problems) => {
    expect(sizeProblems(now, changelog(unreleased))).toEqual(problems);
  });

  it('is missing > the latest version has none', () => {
    expect(sizeProblems(size(), '## [Unreleased]\n\n## [1.0.0] - 2026-01-01\n')).toHaveLength(1);
  });
});
