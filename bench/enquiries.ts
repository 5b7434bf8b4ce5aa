import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { SERVICE } from '../form-service/test/services.ts';

const SECONDS = 5;
const AT_ONCE = 32;

/** Enquiry of a typical length. */
const body = JSON.stringify({
  name: 'Ana Example',
  email: 'ana@example.org',
  phone: '',
  service: SERVICE,
  message: 'We need a new shop, by spring, and someone who keeps it running. '.repeat(4),
});

const headers = {
  'content-type': 'application/json',
  'content-length': Buffer.byteLength(body),
  accept: 'application/json',
};

// node:http with keep-alive: the client shares the CPU with the service, and `fetch` would take several times as much.
const agent = new Agent({ keepAlive: true });

/** Posts one enquiry and returns the response body. Throws unless it is accepted. */
async function postOne(origin: string): Promise<string> {
  const own = { ...headers, 'idempotency-key': randomUUID() };
  const question = request(`${origin}/api/contact`, { method: 'POST', agent, headers: own }).end(body);
  const [answer] = (await once(question, 'response')) as [IncomingMessage];
  const words = await text(answer);
  if (answer.statusCode !== 202) throw new Error(`${origin} answers ${answer.statusCode}: ${words}`);
  return words;
}

/** Posts `amount` enquiries, or as many as possible in 5 s. Returns the rate per second. */
export async function postEnquiries(origin: string, amount?: number): Promise<number> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  let total = 0;
  const visitor = async () => {
    while (amount === undefined ? seconds() < SECONDS : total < amount) {
      total += 1;
      await postOne(origin);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, visitor));
  return total / seconds();
}

/**
 * Posts enquiries at a constant rate, independently of the responses, so that a stalled service does not reduce its load.
 *
 * @param onAnswer receives each response body
 */
export async function postAtPace(origin: string, perSecond: number, seconds: number, onAnswer: (body: string) => void) {
  const startedAt = performance.now();
  const answers: Promise<void>[] = [];
  for (let index = 0; index < perSecond * seconds; index += 1) {
    await pause(Math.max(0, startedAt + (index * 1_000) / perSecond - performance.now()));
    answers.push(postOne(origin).then(onAnswer));
  }
  await Promise.all(answers);
}
