import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { ARCHIVE, packGeneratedFiles, readGeneratedFiles } from './generated-files.ts';
import { generatedCorpus } from './generated.ts';

/*
 * Generates the files of `files.tar.gz`: `node form-service/test/corpus/generate.ts [part of a name]`. It needs programs of
 * Debian that no test needs, listed in README.md, and reports failed commands.
 */

const NPM_PACKAGES =
  'docx html-to-docx docxtemplater pizzip easy-template-x pdfkit jspdf pdf-lib @react-pdf/renderer react'.split(' ');

const MARKDOWN = '# Ana Example\n\nEngineer in Lisbon.\n\n- 2021 to 2026: made kites\n- 2017 to 2021: learned it\n';
const HTML =
  '<!doctype html><meta charset="utf-8"><title>Ana Example</title><h1>Ana Example</h1><p>Engineer in Lisbon.</p><ul><li>2021 to 2026: made kites</li></ul>';
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="210" height="297"><text x="20" y="40" font-family="DejaVu Sans">Ana Example</text></svg>';

/** Source files of the commands, generated in this order. */
const SOURCES: Readonly<Record<string, string>> = {
  'cv.odt': 'pandoc cv.md -o cv.odt',
  'short.odt': "echo 'Ana Example, engineer' > short.md && pandoc short.md -o short.odt",
  'long.odt': 'for i in $(seq 12); do cat cv.md; done > long.md && pandoc long.md -o long.odt',
  'scan.jpg': 'convert -size 210x297 -quality 30 plasma:grey-white -colorspace gray scan.jpg',
  'scan.odt': "echo '![](scan.jpg)' | pandoc -f markdown -o scan.odt",
  'base.pdf': 'groff -Tpdf > base.pdf < cv.md',
  'small.pdf': 'qpdf --object-streams=disable base.pdf small.pdf',
  'base.docx': "soffice --headless --convert-to 'docx:MS Word 2007 XML' short.odt && mv short.docx base.docx",
  'base.doc': "soffice --headless --convert-to 'doc:MS Word 97' short.odt && mv short.doc base.doc",
};

const work = mkdtempSync(join(tmpdir(), 'corpus-'));
const sh = (script: string, folder: string, out = '') =>
  execFileSync('/bin/bash', ['-c', script], {
    cwd: folder,
    env: { ...process.env, OUT: out },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 120_000,
  });

for (const [name, text] of Object.entries({ 'cv.md': MARKDOWN, 'cv.html': HTML, 'cv.svg': SVG }))
  writeFileSync(join(work, name), text);
sh(`npm init -y && npm install --ignore-scripts --no-audit --no-fund ${NPM_PACKAGES.join(' ')}`, work);
for (const [name, script] of Object.entries(SOURCES)) {
  sh(script, work);
  if (!existsSync(join(work, name))) throw new Error(`Not generated: ${name}`);
}

const files = existsSync(ARCHIVE) ? await readGeneratedFiles() : new Map<string, Buffer>();
const failed: string[] = [];
for (const { file, sh: script } of generatedCorpus.filter((one) => one.file.includes(process.argv[2] ?? ''))) {
  const folder = mkdtempSync(join(work, 'one-'));
  sh(`cp ../*.* .`, folder);
  symlinkSync(join(work, 'node_modules'), join(folder, 'node_modules'));
  const out = join(folder, `out${extname(file)}`);
  try {
    sh(script, folder, out);
    files.set(file, readFileSync(out));
  } catch (error) {
    failed.push(`${file}: ${String((error as { stderr?: Buffer }).stderr ?? error).slice(0, 300)}`);
  }
}
rmSync(work, { recursive: true });
writeFileSync(ARCHIVE, await packGeneratedFiles(files));
console.error(failed.join('\n'));
process.exitCode = failed.length > 0 ? 1 : 0;
