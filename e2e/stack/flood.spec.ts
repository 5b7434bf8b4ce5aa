import { expect, test } from '@playwright/test';
import { post, type Answer } from '../faults/http-post.ts';
import { startStack, type StackProcess } from '../harness/stack-process.ts';

const LIMIT = 5;
const FLOOD = { address: '127.0.0.2', posts: 600, atOnce: 20 };

/** Clients that want one thing each, while the flood goes on. */
const OTHERS = ['127.0.0.3', '127.0.0.4', '127.0.0.5'];

const ENQUIRY = {
  name: 'Ada',
  email: 'ada@visitor.example',
  service: 'Web Development',
  message: 'We need a new website.',
};

let stack: StackProcess;
test.beforeAll(async () => {
  test.setTimeout(300_000);
  stack = await startStack({ RATE_LIMIT_PER_MINUTE: String(LIMIT) });
});
test.afterAll(() => stack.stop());

function enquire(address: string, idempotencyKey: string): Promise<Answer | undefined> {
  const bytes = Buffer.from(JSON.stringify(ENQUIRY));
  return post(
    new URL('/api/contact', stack.siteUrl),
    { contentType: 'application/json', bytes },
    { address, idempotencyKey },
    30_000,
  );
}

test('the flood of one client is refused politely, while others are served within a second', async () => {
  const answers: (Answer | undefined)[] = [];
  let next = 0;
  const flooding = Array.from({ length: FLOOD.atOnce }, async () => {
    while (next < FLOOD.posts) answers.push(await enquire(FLOOD.address, `flood-key-${next++}`));
  });
  await expect.poll(() => answers.length).toBeGreaterThan(FLOOD.atOnce);

  const seconds: number[] = [];
  for (const address of OTHERS) {
    const startedAt = performance.now();
    expect((await enquire(address, `other-${address}`))?.status).toBe(202);
    seconds.push((performance.now() - startedAt) / 1000);
  }
  expect(answers.length, 'the flood went on meanwhile').toBeLessThan(FLOOD.posts);
  // The best of them: what else the machine is busy with is not what is judged.
  expect(Math.min(...seconds)).toBeLessThan(1);

  await Promise.all(flooding);
  const accepted = answers.filter((answer) => answer?.status === 202);
  const refused = answers.filter((answer) => answer?.status === 429);
  expect(accepted.length).toBeGreaterThanOrEqual(LIMIT);
  // The flood may run into a second minute.
  expect(accepted.length).toBeLessThanOrEqual(2 * LIMIT);
  expect(accepted.length + refused.length).toBe(FLOOD.posts);
  for (const answer of refused) {
    expect(Number(answer?.retryAfter)).toBeGreaterThan(0);
    expect(JSON.parse(answer?.body ?? '')).toEqual({ success: false, message: expect.stringMatching(/^\S.*\.$/) });
  }
});
