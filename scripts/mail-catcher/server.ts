import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { callbackify } from 'node:util';
import { simpleParser, type AddressObject, type ParsedMail } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { readTemplate } from '../../form-service/src/html/template.ts';

/**
 * Mail catcher of a trial: takes mails by SMTP, delivers none, and shows them on a page. It has no password, so it only
 * listens on the loopback address. A container chooses another one, which Docker publishes there. The mails stay in the
 * folder, one file each.
 */

/** Line of the list. */
interface Caught {
  readonly id: string;
  readonly subject: string;
  readonly from: string;
  readonly to: string;
  readonly date: string;
}

const HEADERS = {
  // A mail may show pictures, and runs no script.
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data: http: https:",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

const [smtpPort, webPort, folder = '', host = '127.0.0.1'] = process.argv.slice(2);
const frame = new URL('frame.html', import.meta.url);
const fillList = readTemplate(new URL('list.html', import.meta.url), frame);
const fillMail = readTemplate(new URL('mail.html', import.meta.url), frame);
/** The mails, oldest first. */
const caught: Caught[] = [];

const pathOf = (id: string) => join(folder, `${id}.eml`);

function addressText(address: AddressObject | readonly AddressObject[] | undefined): string {
  return [address ?? []]
    .flat()
    .map(({ text }) => text)
    .join(', ');
}

/** Adds a mail to the list. */
async function list(id: string): Promise<void> {
  const { subject = '', from, to, date } = await simpleParser(await readFile(pathOf(id)));
  caught.push({ id, subject, from: addressText(from), to: addressText(to), date: date?.toISOString() ?? '' });
}

/** Stores a mail and lists it. */
async function keep(stream: NodeJS.ReadableStream): Promise<void> {
  // The folder lists the mails in the order of their arrival.
  const id = `${Date.now().toString(36)}-${randomUUID()}`;
  const part = join(folder, `${id}.part`);
  await pipeline(stream, createWriteStream(part));
  await rename(part, pathOf(id));
  await list(id);
}

async function answer(path: string, response: ServerResponse): Promise<void> {
  const send = (type: string, body: string | Buffer, headers = {}) => {
    response.writeHead(200, { ...HEADERS, ...headers, 'content-type': type }).end(body);
  };
  const html = (body: string) => send('text/html; charset=utf-8', body);
  if (path === '/') return html(fillList({ title: 'Caught mails', mails: caught.toReversed() }));
  if (path === '/api/healthz') return send('application/json', 'true');
  if (path === '/api/email') return send('application/json', JSON.stringify(caught));
  const [, id, what, number] =
    /^\/(?:api\/email|mail)\/([^/]+)(?:\/(source|attachment)(?:\/(\d+))?)?$/.exec(path) ?? [];
  const mail = caught.find((one) => one.id === id);
  if (!mail) return void response.writeHead(404, HEADERS).end('There is no such page.');
  if (what === 'source') {
    response.writeHead(200, { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' });
    return pipeline(createReadStream(pathOf(mail.id)), response);
  }
  const parsed = await simpleParser(await readFile(pathOf(mail.id)));
  if (what !== 'attachment') return html(mailPage(mail, parsed));
  const { content, filename = 'file' } = parsed.attachments[Number(number)] ?? { content: '' };
  const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(filename)}`;
  send('application/octet-stream', content, { 'content-disposition': disposition });
}

function mailPage({ id, subject, from, to, date }: Caught, { html, text, replyTo, attachments }: ParsedMail): string {
  const headers = { From: from, To: to, 'Reply-To': addressText(replyTo), Sent: date };
  return fillMail({
    id,
    subject,
    title: subject,
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    // Links open in another tab: most pages refuse to be in a frame.
    html: html && `<base target="_blank">${html}`,
    text,
    attachments: attachments.map(({ filename, size }, number) => ({ name: filename ?? 'file', size, number })),
  });
}

await mkdir(folder, { recursive: true, mode: 0o700 });
const files = (await readdir(folder)).filter((name) => name.endsWith('.eml')).toSorted();
for (const name of files) await list(name.slice(0, -'.eml'.length));

createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://mail.invalid');
  answer(pathname, response).catch((error: unknown) => {
    console.error(error);
    response.destroy();
  });
}).listen(Number(webPort), host);

new SMTPServer({
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  onData: (stream, _session, done) => callbackify(keep)(stream, done),
}).listen(Number(smtpPort), host);
