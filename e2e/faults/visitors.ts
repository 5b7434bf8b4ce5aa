import { createHash } from 'node:crypto';
import { pdfOfSize } from '../../form-service/test/corpus/pdf.ts';
import { SERVICE } from '../../form-service/test/services.ts';

/** A visitor who sends one submission. All properties follow from the seed and the number. */
export interface Visitor {
  readonly number: number;
  /** IP address. */
  readonly address: string;
  /** Whether the visitor retries with the same idempotency key until the outcome is final. */
  readonly isPatient: boolean;
  readonly idempotencyKey: string;
  readonly path: '/api/contact' | '/api/resume';
  /** Unique texts that the mail must contain. */
  readonly marks: readonly string[];
  /** SHA-256 of the résumé, if there is one. */
  readonly sha256: string | undefined;
}

const RESUME_MIN_BYTES = 20_000;

/** Share of visitors who send a résumé. */
export const RESUME_SHARE = 0.2;

const PATIENT_SHARE = 0.5;
const ADDRESSES = 200;

/** Mean size of résumés, whose logarithms are uniformly distributed. */
export const meanResumeBytes = (maxBytes: number): number =>
  (maxBytes - RESUME_MIN_BYTES) / Math.log(maxBytes / RESUME_MIN_BYTES);

/** Returns a generator of numbers in [0, 1). Each purpose has an independent sequence. */
export function randomSource(seed: number, purpose: string): () => number {
  let drawn = 0;
  return () => createHash('sha256').update(`${seed}:${purpose}:${drawn++}`).digest().readUInt32LE() / 2 ** 32;
}

/** Creates a visitor and the request body: JSON, or a form with a file, like the script of the site. */
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
  if (!resume) return [visitor, JSON.stringify({ ...person, name: `Name ${token}`, service: SERVICE, message: text })];
  const form = new FormData();
  const fields = { ...person, fullName: `Name ${token}`, coverLetter: text };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('resume', new Blob([new Uint8Array(resume)], { type: 'application/pdf' }), 'résumé.pdf');
  return [visitor, form];
}
