import { createHash } from 'node:crypto';
import { pdfOfSize } from '../../form-service/test/corpus/pdf.ts';
import type { EncodedBody } from './http-post.ts';
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
}

const RESUME_MIN_BYTES = 20_000;

/** Part of the visitors that send a résumé. */
export const RESUME_SHARE = 0.2;

const PATIENT_SHARE = 0.5;
const ADDRESSES = 200;

/** Mean size of the résumés: their logarithms are spread evenly. */
export const meanResumeBytes = (maxBytes: number): number =>
  (maxBytes - RESUME_MIN_BYTES) / Math.log(maxBytes / RESUME_MIN_BYTES);

export async function visitorOf(
  seed: number,
  number: number,
  resumeMaxBytes: number,
): Promise<{ visitor: Visitor; body: EncodedBody }> {
  const random = new Random(seed, `visitor ${number}`);
  const token = createHash('sha256').update(`${seed}/${number}`).digest('hex').slice(0, 20);
  const size = Math.round(RESUME_MIN_BYTES * (resumeMaxBytes / RESUME_MIN_BYTES) ** random.between());
  const resume = random.chance(RESUME_SHARE) ? pdfOfSize(size, token) : undefined;
  const person = { email: `${number}.${token}@visitor.example`, phone: `+00 ${number}` };
  const text = `«${token}» – schöne Grüße, 您好, مرحبا, 🪁`;
  const visitor: Visitor = {
    number,
    address: `127.0.1.${1 + (number % ADDRESSES)}`,
    isPatient: random.chance(PATIENT_SHARE),
    idempotencyKey: `faults-${seed}-${token}`,
    path: resume ? '/api/resume' : '/api/contact',
    marks: [person.email, `Name ${token}`, text],
    sha256: resume && createHash('sha256').update(resume).digest('hex'),
  };
  const body = resume
    ? await encode({ ...person, fullName: `Name ${token}`, coverLetter: text }, resume)
    : await encode({ ...person, name: `Name ${token}`, service: 'Web Development', message: text });
  return { visitor, body };
}

/** As a browser's script encodes it: a form with a file, or JSON. */
async function encode(fields: Readonly<Record<string, string>>, resume?: Buffer): Promise<EncodedBody> {
  if (!resume) return { contentType: 'application/json', bytes: Buffer.from(JSON.stringify(fields)) };
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('resume', new Blob([new Uint8Array(resume)], { type: 'application/pdf' }), 'résumé.pdf');
  const encoded = new Response(form);
  return { contentType: encoded.headers.get('content-type') ?? '', bytes: Buffer.from(await encoded.arrayBuffer()) };
}
