import { describe, expect, it } from '@jest/globals';
import { checkedTogether } from './checked-together.ts';
import { Refusal } from './refusal.ts';

const fields = Refusal.invalid('Please check the form.', { email: ['Invalid email'] });
const file = new Refusal(415, 'wrong-type', 'Another kind, please.', { errors: { resume: ['Another kind, please.'] } });
const failure = new Error('disk');

const outcome = (one: Promise<unknown>, other: Promise<unknown>) => checkedTogether(one, other).catch((error: unknown) => error);

describe('two checks', () => {
  it('give both results', async () => {
    expect(await outcome(Promise.resolve(1), Promise.resolve(2))).toEqual([1, 2]);
  });

  it('of which one fails fail with it', async () => {
    expect(await outcome(Promise.reject(fields), Promise.resolve(2))).toBe(fields);
    expect(await outcome(Promise.resolve(1), Promise.reject(file))).toBe(file);
  });

  it('that both refuse are one refusal with the errors of both', async () => {
    const both = await outcome(Promise.reject(fields), Promise.reject(file));
    expect(both).toMatchObject({ status: 422, message: 'Please check the form.', errors: { ...fields.errors, ...file.errors } });
  });

  it('fail with what is nobody’s fault, whatever else is wrong', async () => {
    expect(await outcome(Promise.reject(fields), Promise.reject(failure))).toBe(failure);
    expect(await outcome(Promise.reject(failure), Promise.reject(file))).toBe(failure);
  });
});
