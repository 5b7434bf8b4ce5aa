import type { messages } from '../../src/contract/messages.ts';

type Refusal = Extract<keyof typeof messages, `resume${string}`>;

/** A file that another program made from our own text, with the expected result. */
export interface GeneratedFile {
  readonly file: string;
  /** Shell commands that write the file. `generate.ts` lists their source files. */
  readonly sh: string;
  /** Name of such a file of a visitor, if the extension differs. */
  readonly name?: string;
  /** Resulting extension, if it differs from the name. */
  readonly becomes?: '.pdf' | '.doc' | '.docx';
  readonly refused?: Refusal;
}

/** LibreOffice writes to a file named after its source. */
const office = (filter: string, from = 'cv.html', to = filter.split(':')[0]) =>
  `soffice --headless --convert-to '${filter}' ${from} && mv ${from.replace(/\.\w+$/, '')}.${to} $OUT`;
const python = (code: string) => `/usr/bin/python3 -c "${code}"`;
const node = (code: string) => `node --input-type=module -e '${code}'`;
/** Unpacks a .docx, changes it and packs it again. */
const repacked = (change: string, pack = 'zip -qr -X $OUT .') => `mkdir -p x && cd x && unzip -qo ../base.docx && ${change} && ${pack}`;

const libreOffice: readonly GeneratedFile[] = [
  { file: 'libreoffice.pdf', sh: office('pdf:writer_web_pdf_Export') },
  { file: 'libreoffice-writer.pdf', sh: office('pdf', 'cv.odt') },
  { file: 'libreoffice-archive.pdf', sh: office('pdf:writer_pdf_Export:{"SelectPdfVersion":{"type":"long","value":"2"}}', 'cv.odt', 'pdf') },
  { file: 'libreoffice-tagged.pdf', sh: office('pdf:writer_pdf_Export:{"UseTaggedPDF":{"type":"boolean","value":"true"},"SelectPdfVersion":{"type":"long","value":"17"}}', 'cv.odt', 'pdf') },
  { file: 'libreoffice-hybrid.pdf', sh: office('pdf:writer_pdf_Export:{"IsAddStream":{"type":"boolean","value":"true"}}', 'cv.odt', 'pdf') },
  { file: 'libreoffice-author-password.pdf', sh: office('pdf:writer_pdf_Export:{"RestrictPermissions":{"type":"boolean","value":"true"},"PermissionPassword":{"type":"string","value":"secret"}}', 'cv.odt', 'pdf') },
  { file: 'libreoffice-password.pdf', sh: office('pdf:writer_pdf_Export:{"EncryptFile":{"type":"boolean","value":"true"},"DocumentOpenPassword":{"type":"string","value":"secret"}}', 'cv.odt', 'pdf') },
  { file: 'libreoffice-drawing.pdf', sh: office('pdf:draw_pdf_Export', 'cv.svg', 'pdf') },
  { file: 'libreoffice.doc', sh: office('doc:MS Word 97', 'long.odt') },
  { file: 'libreoffice-short.doc', sh: office('doc:MS Word 97', 'short.odt') },
  { file: 'libreoffice-scanned.doc', sh: office('doc:MS Word 97', 'scan.odt') },
  { file: 'libreoffice-template.doc', sh: office('dot:MS Word 97 Vorlage', 'short.odt', 'dot') },
  { file: 'libreoffice.docx', sh: office('docx:MS Word 2007 XML', 'cv.odt') },
  { file: 'libreoffice-ooxml.docx', sh: office('docx:Office Open XML Text', 'cv.odt') },
  { file: 'libreoffice-scanned.docx', sh: office('docx:MS Word 2007 XML', 'scan.odt') },
  { file: 'libreoffice-template.docx', sh: office('dotx:MS Word 2007 XML Template', 'short.odt', 'dotx') },
  { file: 'libreoffice-macros.docx', sh: office('docm:MS Word 2007 XML VBA', 'short.odt', 'docm') },
  { file: 'libreoffice-rich-text.doc', sh: office('rtf', 'short.odt') },
  { file: 'libreoffice-2003-xml.doc', sh: office('xml:MS Word 2003 XML', 'short.odt', 'xml') },
  { file: 'libreoffice-open-document.docx', sh: 'cp short.odt $OUT', refused: 'resumeSaveAsPdf' },
  { file: 'libreoffice-web-page.doc', sh: office('html', 'short.odt'), refused: 'resumeSaveAsPdf' },
];

const desktop: readonly GeneratedFile[] = [
  { file: 'abiword.pdf', sh: 'abiword --to=pdf -o $OUT cv.html' },
  { file: 'abiword.doc', sh: 'abiword --to=doc -o $OUT cv.html' },
  { file: 'abiword-rich-text.doc', sh: 'abiword --to=rtf -o a.rtf cv.html && mv a.rtf $OUT' },
  { file: 'abiword.docx', sh: 'abiword --to=docx -o $OUT cv.html' },
  { file: 'chromium.pdf', sh: 'chromium --headless --no-sandbox --disable-gpu --no-pdf-header-footer --print-to-pdf=$OUT file://$PWD/cv.html' },
  { file: 'chromium-with-header.pdf', sh: 'chromium --headless --no-sandbox --disable-gpu --print-to-pdf=$OUT file://$PWD/cv.html' },
  { file: 'wkhtmltopdf.pdf', sh: 'xvfb-run -a wkhtmltopdf -q cv.html $OUT || QT_QPA_PLATFORM=offscreen wkhtmltopdf -q cv.html $OUT' },
  { file: 'weasyprint.pdf', sh: 'weasyprint cv.html $OUT' },
  { file: 'htmldoc.pdf', sh: 'htmldoc --webpage --no-embedfonts -t pdf14 -f $OUT cv.html' },
];

const typesetters: readonly GeneratedFile[] = [
  { file: 'pandoc.docx', sh: 'pandoc cv.md -o $OUT' },
  { file: 'pandoc-rich-text.doc', sh: 'pandoc cv.md -s -t rtf -o $OUT' },
  { file: 'pdflatex.pdf', sh: 'pandoc cv.md --pdf-engine=pdflatex -o $OUT' },
  { file: 'xelatex.pdf', sh: 'pandoc cv.md --pdf-engine=xelatex -o $OUT' },
  { file: 'pandoc-weasyprint.pdf', sh: 'pandoc cv.md --pdf-engine=weasyprint -o $OUT' },
  { file: 'groff.pdf', sh: 'groff -Tpdf > $OUT < cv.md' },
  { file: 'groff-postscript.pdf', sh: 'pandoc cv.md -s -t ms -o a.ms && groff -Tps -ms a.ms > a.ps && ps2pdf a.ps $OUT' },
  { file: 'enscript.pdf', sh: 'enscript -q -o a.ps cv.md && ps2pdf a.ps $OUT' },
  { file: 'paps.pdf', sh: 'paps cv.md > a.ps && ps2pdf a.ps $OUT' },
  { file: 'html2ps.pdf', sh: 'html2ps cv.html > a.ps && ps2pdf a.ps $OUT' },
];

const pdfTools: readonly GeneratedFile[] = [
  { file: 'ghostscript-1.3.pdf', sh: 'gs -q -sDEVICE=pdfwrite -dCompatibilityLevel=1.3 -o $OUT base.pdf' },
  { file: 'ghostscript-2.0.pdf', sh: 'gs -q -sDEVICE=pdfwrite -dCompatibilityLevel=2.0 -o $OUT base.pdf' },
  { file: 'ghostscript-scan.pdf', sh: 'gs -q -sDEVICE=pdfimage8 -r36 -o $OUT base.pdf' },
  { file: 'ghostscript-console-text.pdf', sh: 'gs -sDEVICE=pdfwrite -dNOPAUSE -dBATCH -sOutputFile=- base.pdf > $OUT' },
  { file: 'ghostscript-password.pdf', sh: 'gs -q -sDEVICE=pdfwrite -sOwnerPassword=a -sUserPassword=b -dEncryptionR=3 -dKeyLength=128 -o $OUT base.pdf' },
  { file: 'qpdf-readable.pdf', sh: 'qpdf --qdf base.pdf $OUT' },
  { file: 'qpdf-object-streams.pdf', sh: 'qpdf --object-streams=generate base.pdf $OUT' },
  { file: 'qpdf-fast-web-view.pdf', sh: 'qpdf --linearize base.pdf $OUT' },
  { file: 'qpdf-attachment.pdf', sh: 'qpdf base.pdf --add-attachment short.md -- $OUT' },
  { file: 'qpdf-packed-attachment.pdf', sh: 'qpdf base.pdf --object-streams=generate --add-attachment short.md -- $OUT' },
  ...['40', '128', '128 --use-aes=y', '256', '256 --force-R5'].flatMap((strength) => {
    const weak = strength === '256' ? '' : '--allow-weak-crypto';
    const name = strength.replaceAll(/\W+/g, '-');
    const encrypt = (user: string) => `qpdf ${weak} --encrypt '${user}' author ${strength} -- base.pdf $OUT`;
    return [
      { file: `qpdf-author-password-${name}.pdf`, sh: encrypt('') },
      { file: `qpdf-password-${name}.pdf`, sh: encrypt('secret') },
    ] satisfies GeneratedFile[];
  }),
  { file: 'qpdf-author-password-packed.pdf', sh: "qpdf --object-streams=generate --encrypt '' author 256 -- base.pdf $OUT" },
  { file: 'qpdf-author-password-fast-web-view.pdf', sh: "qpdf --allow-weak-crypto --linearize --encrypt '' author 128 --use-aes=y -- base.pdf $OUT" },
  { file: 'qpdf-password-fast-web-view.pdf', sh: 'qpdf --linearize --encrypt secret author 256 -- base.pdf $OUT' },
  { file: 'qpdf-password-open-metadata.pdf', sh: 'qpdf --allow-weak-crypto --encrypt secret author 128 --cleartext-metadata --use-aes=y -- base.pdf $OUT' },
  { file: 'qpdf-author-password-open-metadata.pdf', sh: "qpdf --allow-weak-crypto --encrypt '' author 128 --cleartext-metadata --use-aes=y -- base.pdf $OUT" },
  { file: 'pdftk.pdf', sh: 'pdftk base.pdf cat output $OUT' },
  { file: 'pdftk-attachment.pdf', sh: 'pdftk base.pdf attach_files short.md output $OUT' },
  { file: 'pdftk-author-password.pdf', sh: 'pdftk base.pdf output $OUT owner_pw author' },
  { file: 'pdftk-password.pdf', sh: 'pdftk base.pdf output $OUT user_pw secret' },
  { file: 'mutool.pdf', sh: 'mutool clean -ggggz base.pdf $OUT' },
  { file: 'mutool-objects.pdf', sh: 'mutool convert -O compress -o $OUT base.pdf' },
  { file: 'cairo.pdf', sh: 'pdftocairo -pdf base.pdf $OUT' },
  { file: 'rsvg.pdf', sh: 'rsvg-convert -f pdf -o $OUT cv.svg' },
  { file: 'cairosvg.pdf', sh: python("import cairosvg; cairosvg.svg2pdf(url='cv.svg', write_to='$OUT')") },
  { file: 'pillow-scan.pdf', sh: python("from PIL import Image; Image.open('scan.jpg').save('$OUT')") },
  { file: 'img2pdf-scan.pdf', sh: 'img2pdf scan.jpg -o $OUT' },
];

const libraries: readonly GeneratedFile[] = [
  { file: 'reportlab.pdf', sh: python("from reportlab.pdfgen.canvas import Canvas; c=Canvas('$OUT'); c.drawString(72,720,'Ana Example'); c.save()") },
  { file: 'reportlab-author-password.pdf', sh: python("from reportlab.pdfgen.canvas import Canvas; c=Canvas('$OUT', encrypt=__import__('reportlab.lib.pdfencrypt').lib.pdfencrypt.StandardEncryption('', ownerPassword='author', strength=128)); c.drawString(72,720,'Ana Example'); c.save()") },
  { file: 'pypdf-script.pdf', sh: python("import pypdf; w=pypdf.PdfWriter('base.pdf') if False else pypdf.PdfWriter(); [w.add_page(p) for p in pypdf.PdfReader('base.pdf').pages]; w.add_js('this.print();'); w.write('$OUT')") },
  { file: 'pikepdf-launch.pdf', sh: python("import pikepdf; p=pikepdf.open('base.pdf'); p.Root.OpenAction=p.make_indirect(pikepdf.Dictionary(S=pikepdf.Name.Launch, F=pikepdf.String('calc.exe'))); p.save('$OUT', object_stream_mode=pikepdf.ObjectStreamMode.generate)") },
  { file: 'pikepdf-attachment-without-type.pdf', sh: python("import pikepdf; p=pikepdf.open('base.pdf'); s=pikepdf.Stream(p, b'x'); p.pages[0].Annots=p.make_indirect([p.make_indirect(pikepdf.Dictionary(Subtype=pikepdf.Name.FileAttachment, Rect=[0,0,9,9], FS=pikepdf.Dictionary(F=pikepdf.String('a.exe'), EF=pikepdf.Dictionary(F=p.make_indirect(s)))))]); p.save('$OUT')") },
  { file: 'perl-api2.pdf', sh: `perl -MPDF::API2 -e 'my $p=PDF::API2->new; my $t=$p->page->text; $t->font($p->corefont("Helvetica"),12); $t->translate(72,720); $t->text("Ana Example"); $p->saveas($ENV{OUT})'` },
  { file: 'python-docx.docx', sh: python("import docx; d=docx.Document(); d.add_heading('Ana Example'); d.add_paragraph('Engineer'); d.save('$OUT')") },
  { file: 'npm-docx.docx', sh: node('import {Document,Packer,Paragraph} from "docx"; import {writeFileSync} from "node:fs"; writeFileSync(process.env.OUT, await Packer.toBuffer(new Document({sections:[{children:[new Paragraph("Ana Example")]}]})))') },
  { file: 'npm-html-to-docx.docx', sh: node('import h from "html-to-docx"; import {writeFileSync} from "node:fs"; writeFileSync(process.env.OUT, await h("<h1>Ana Example</h1>"))') },
  { file: 'npm-docxtemplater.docx', sh: node('import D from "docxtemplater"; import P from "pizzip"; import {readFileSync,writeFileSync} from "node:fs"; const d=new D(new P(readFileSync("base.docx"))); d.render({}); writeFileSync(process.env.OUT, d.toBuffer())') },
  { file: 'npm-easy-template-x.docx', sh: node('import {TemplateHandler} from "easy-template-x"; import {readFileSync,writeFileSync} from "node:fs"; writeFileSync(process.env.OUT, await new TemplateHandler().process(readFileSync("base.docx"), {}))') },
  { file: 'npm-pdfkit.pdf', sh: node('import P from "pdfkit"; import {createWriteStream} from "node:fs"; const d=new P(); d.pipe(createWriteStream(process.env.OUT)); d.text("Ana Example"); d.end()') },
  { file: 'npm-pdfkit-author-password.pdf', sh: node('import P from "pdfkit"; import {createWriteStream} from "node:fs"; const d=new P({ownerPassword:"author",pdfVersion:"1.7ext3"}); d.pipe(createWriteStream(process.env.OUT)); d.text("Ana Example"); d.end()') },
  { file: 'npm-pdfkit-password.pdf', sh: node('import P from "pdfkit"; import {createWriteStream} from "node:fs"; const d=new P({userPassword:"secret",pdfVersion:"1.4"}); d.pipe(createWriteStream(process.env.OUT)); d.text("Ana Example"); d.end()') },
  { file: 'npm-jspdf.pdf', sh: node('import {jsPDF} from "jspdf"; import {writeFileSync} from "node:fs"; const d=new jsPDF({compress:true}); d.text("Ana Example",10,10); writeFileSync(process.env.OUT, Buffer.from(d.output("arraybuffer")))') },
  { file: 'npm-pdf-lib.pdf', sh: node('import {PDFDocument} from "pdf-lib"; import {writeFileSync} from "node:fs"; const d=await PDFDocument.create(); d.addPage().drawText("Ana Example"); writeFileSync(process.env.OUT, await d.save())') },
  { file: 'npm-pdf-lib-attachment.pdf', sh: node('import {PDFDocument} from "pdf-lib"; import {writeFileSync} from "node:fs"; const d=await PDFDocument.create(); d.addPage(); await d.attach(Buffer.from("x"),"a.exe"); writeFileSync(process.env.OUT, await d.save())') },
  { file: 'npm-pdf-lib-script.pdf', sh: node('import {PDFDocument} from "pdf-lib"; import {writeFileSync} from "node:fs"; const d=await PDFDocument.create(); d.addPage(); d.addJavaScript("main","app.alert(1)"); writeFileSync(process.env.OUT, await d.save())') },
  { file: 'npm-react-pdf.pdf', sh: node('import R,{Document,Page,Text} from "@react-pdf/renderer"; import React from "react"; const e=React.createElement; await R.renderToFile(e(Document,{},e(Page,{},e(Text,{},"Ana Example"))), process.env.OUT)') },
];

/** Changes to a file between the program that made it and the visitor's disk. */
const handled: readonly GeneratedFile[] = [
  { file: 'word-online.docx', sh: repacked("mv word/document.xml word/document2.xml && mv word/_rels/document.xml.rels word/_rels/document2.xml.rels && sed -i 's#word/document.xml#word/document2.xml#' _rels/.rels '[Content_Types].xml'") },
  { file: 'types-by-default.docx', sh: repacked(`sed -i -E 's#<Override[^>]*document.main[^>]*>##; s#<Types ([^>]*)>#<Types \\1><Default Extension="xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>#; s#<Default Extension="xml" ContentType="application/xml"/>##' '[Content_Types].xml'`) },
  { file: 'prefixed-types.docx', sh: repacked("sed -i -E 's#<(/?)(Types|Override|Default)#<\\1ns0:\\2#g; s#xmlns=#xmlns:ns0=#' '[Content_Types].xml'") },
  { file: 'single-quoted-types.docx', sh: repacked(`sed -i -E "s/\\"/'/g" '[Content_Types].xml'`) },
  { file: 'main-part-in-capitals.docx', sh: repacked("sed -i 's#/word/document.xml#/Word/Document.XML#' '[Content_Types].xml'") },
  { file: 'streamed-zip.docx', sh: repacked('true', 'zip -qr -fd - . | cat > $OUT') },
  { file: 'stored-zip.docx', sh: repacked('true', 'zip -0 -qr $OUT .') },
  { file: '7zip.docx', sh: repacked('true', '7z a -tzip -bd $OUT . > /dev/null') },
  { file: 'zip-with-comment.docx', sh: repacked('true', "zip -qr -X $OUT . && echo 'made by a portal' | zip -qz $OUT") },
  { file: 'with-ole-object.docx', sh: repacked('mkdir -p word/embeddings && head -c 600 /dev/zero > word/embeddings/oleObject1.bin') },
  { file: 'line-break-behind.docx', sh: "cp base.docx $OUT && printf '\\r\\n' >> $OUT" },
  { file: 'zero-behind.docx', sh: "cp base.docx $OUT && printf '\\0' >> $OUT" },
  { file: 'docx-renamed.doc', sh: 'cp base.docx $OUT', becomes: '.docx' },
  { file: 'doc-renamed.docx', sh: 'cp base.doc $OUT', becomes: '.doc' },
  { file: 'pdf-renamed.doc', sh: 'cp small.pdf $OUT', becomes: '.pdf' },
  { file: 'mail-archive.doc', sh: "printf 'MIME-Version: 1.0\\r\\nContent-Type: multipart/related; boundary=x\\r\\n\\r\\n--x--\\r\\n' > $OUT", refused: 'resumeSaveAsPdf' },
  { file: 'printer-job-language.pdf', sh: "(printf '\\033%%-12345X@PJL JOB NAME=\"cv\"\\r\\n@PJL ENTER LANGUAGE=PDF\\r\\n'; cat small.pdf; printf '\\033%%-12345X@PJL EOJ\\r\\n') > $OUT" },
  { file: 'print-ticket.pdf', sh: "(printf '<?xml version=\"1.0\"?><!DOCTYPE xpif SYSTEM \"xpif.dtd\"><xpif version=\"1.0\"><job-template-attributes/></xpif>\\n'; cat small.pdf) > $OUT" },
  { file: 'http-headers.pdf', sh: "(printf 'HTTP/1.1 200 OK\\r\\nContent-Type: application/pdf\\r\\n\\r\\n'; cat small.pdf) > $OUT" },
  { file: 'mac-binary.pdf', sh: "(printf '\\0\\006cv.pdf'; head -c 120 /dev/zero; cat small.pdf) > $OUT" },
  { file: 'byte-order-mark.pdf', sh: "(printf '\\357\\273\\277'; cat small.pdf) > $OUT" },
  { file: 'zeros-behind.pdf', sh: '(cat small.pdf; head -c 4000 /dev/zero) > $OUT' },
  { file: 'web-page-behind.pdf', sh: "(cat small.pdf; printf '<!DOCTYPE html><html><body>'; yes '<p>thank you for your download</p>' | head -60; echo '</body></html>') > $OUT" },
  { file: 'scanner-without-end.pdf', sh: "sed 's/%%EOF//' small.pdf > $OUT" },
  { file: 'odd-version.pdf', sh: "sed '1s/%PDF-1../%PDF-0.0/' small.pdf > $OUT" },
  { file: 'without-version.pdf', sh: "sed '1s/%PDF-1../%PDF-/' small.pdf > $OUT" },
  { file: 'without-header.pdf', sh: "sed '1,2d' small.pdf > $OUT" },
  { file: 'extended-later.pdf', sh: python("import pikepdf; b=open('small.pdf','rb').read(); open('$OUT','wb').write(b + b'\\n900 0 obj<</A 1>>endobj\\nxref\\n900 1\\n%010d 00000 n \\ntrailer<</Size 901/Prev 9>>\\nstartxref\\n%d\\n%%%%EOF\\n' % (len(b)+1, len(b)+25))") },
  { file: 'download-cut-short.pdf', sh: 'head -c 900 small.pdf > $OUT' },
  { file: 'download-cut-short.docx', sh: 'head -c 3000 base.docx > $OUT', refused: 'resumeDamaged' },
  { file: 'download-cut-short.doc', sh: 'head -c 4000 base.doc > $OUT', refused: 'resumeWrongType' },
];

export const generatedCorpus: readonly GeneratedFile[] = [...libreOffice, ...desktop, ...typesetters, ...pdfTools, ...libraries, ...handled];
