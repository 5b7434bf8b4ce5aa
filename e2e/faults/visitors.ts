import { createHash } from 'node:crypto';
import { pdfOfSize } from '../../form-service/test/corpus/pdf.ts';

/** Somebody who sends one submission. Everything about a visitor follows from the seed and the number. */
export interface Visitor {
  readonly number: number;
  /** Address that the visitor comes from. */
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

/** Numbers from 0 up to but excluding 1; what one purpose draws is apart from what another one draws. */
export function randomSource(seed: number, purpose: string): () => number {
  let drawn = 0;
  return () => createHash('sha256').update(`${seed}:${purpose}:${drawn++}`).digest().readUInt32LE() / 2 ** 32;
}

/** A visitor, and what is sent: JSON, or a form with a file, as a browser's script does it. */
export function visitorOf(seed: number, number: number, resumeMaxBytes: number): [Visitor, string | FormData] {
  const random = randomSource(seed, `visitor ${number}`);
  const token = createHash('sha256').update(`${seed}/${number}`).digest('hex').slice(0, 20);
  const size = Math.round(RESUME_MIN_BYTES * (resumeMaxBytes / RESUME_MIN_BYTES) ** random());
  const resume = random() < RESUME_SHARE ? pdfOfSize(size, token) : undefined;
  const person = { email: `${number}.${token}@visitor.example`, phone: `+00 ${number}` };
  const text = `«${token}» – schöne Grüße, 您好, مرحبا, 🪁`;
  const visitor: Visitor = {
    number,
    address: `198.51.100.${1 + (number % ADDRESSES)}`,
    isPatient: random() < PATIENT_SHARE,
    idempotencyKey: `faults-${seed}-${token}`,
    path: resume ? '/api/resume' : '/api/contact',
    marks: [person.email, `Name ${token}`, text],
    sha256: resume && createHash('sha256').update(resume).digest('hex'),
  };
  if (!resume)
    return [visitor, JSON.stringify({ ...person, name: `Name ${token}`, service: 'Web Development', message: text })];
  const form = new FormData();
  const fields = { ...person, fullName: `Name ${token}`, coverLetter: text };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('resume', new Blob([new Uint8Array(resume)], { type: 'application/pdf' }), 'résumé.pdf');
  return [visitor, form];
}
