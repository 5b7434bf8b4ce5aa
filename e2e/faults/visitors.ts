import { createHash } from 'node:crypto';
import { Random } from './random.ts';

/** Somebody who sends one submission. Everything about a visitor follows from the seed and the number. */
export interface Visitor {
  readonly number: number;
  /** Loopback address the visitor sends from. */
  readonly address: string;
  /** Sends again, with the same key, until there is a final answer; the others give up at once. */
  readonly isPatient: boolean;
  readonly idempotencyKey: string;
  readonly path: '/api/contact' | '/api/resume';
  /** Texts that the e-mail must hold, and nobody else's does. */
  readonly marks: readonly string[];
  /** Digest of the résumé, where there is one. */
  readonly sha256: string | undefined;
  encode(): Promise<EncodedBody>;
}

export interface EncodedBody {
  readonly contentType: string;
  readonly bytes: Buffer;
}

const RESUME_MIN_BYTES = 20_000;

/** Part of the visitors that send a résumé. */
export const RESUME_SHARE = 0.2;

const PATIENT_SHARE = 0.5;
const ADDRESSES = 200;

/** Mean size of the résumés: their logarithms are spread evenly. */
export function meanResumeBytes(maxBytes: number): number {
  return (maxBytes - RESUME_MIN_BYTES) / Math.log(maxBytes / RESUME_MIN_BYTES);
}

export function visitorOf(seed: number, number: number, resumeMaxBytes: number): Visitor {
  const random = new Random(seed, `visitor ${number}`);
  const token = createHash('sha256').update(`${seed}/${number}`).digest('hex').slice(0, 20);
  const hasResume = random.chance(RESUME_SHARE);
  const resume = hasResume
    ? pdfOf(random, Math.round(RESUME_MIN_BYTES * (resumeMaxBytes / RESUME_MIN_BYTES) ** random.next()))
    : undefined;
  const person = { email: `${number}.${token}@visitor.example`, phone: `+00 ${number}` };
  const text = `«${token}» – schöne Grüße, 您好, مرحبا, 🪁`;
  return {
    number,
    address: `127.0.1.${1 + (number % ADDRESSES)}`,
    isPatient: random.chance(PATIENT_SHARE),
    idempotencyKey: `faults-${seed}-${token}`,
    path: resume ? '/api/resume' : '/api/contact',
    marks: [person.email, `Name ${token}`, text],
    sha256: resume && createHash('sha256').update(resume).digest('hex'),
    encode: () =>
      resume
        ? encodeMultipart({ ...person, fullName: `Name ${token}`, coverLetter: text }, resume)
        : encodeJson({ ...person, name: `Name ${token}`, service: 'Web Development', message: text }),
  };
}

/** The visitor's number in the address that a mail answers to. */
export function numberOfAddress(address: string): number {
  return Number.parseInt(address, 10);
}

async function encodeJson(fields: Readonly<Record<string, string>>): Promise<EncodedBody> {
  return { contentType: 'application/json', bytes: Buffer.from(JSON.stringify(fields)) };
}

async function encodeMultipart(fields: Readonly<Record<string, string>>, resume: Buffer): Promise<EncodedBody> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('resume', new Blob([new Uint8Array(resume)], { type: 'application/pdf' }), 'résumé.pdf');
  const encoded = new Response(form);
  return { contentType: encoded.headers.get('content-type') ?? '', bytes: Buffer.from(await encoded.arrayBuffer()) };
}

/** A PDF of one empty page and a stream of noise, of about the size. */
function pdfOf(random: Random, size: number): Buffer {
  const noise = random.bytes(size);
  const head = `%PDF-1.4
1 0 obj
<< /Type /Catalog /Pages 2 0 R >>
endobj
2 0 obj
<< /Type /Pages /Kids [3 0 R] /Count 1 >>
endobj
3 0 obj
<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>
endobj
4 0 obj
<< /Length ${noise.length} >>
stream
`;
  const tail = '\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\nstartxref\n0\n%%EOF\n';
  return Buffer.concat([Buffer.from(head), noise, Buffer.from(tail)]);
}
