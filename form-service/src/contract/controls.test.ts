import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyCharacter } from '../../test/any-character.ts';
import { OPINION, survey } from '../../test/survey.ts';
import { validate } from '../intake/submission-request.ts';
import { messages } from './messages.ts';
import { numberText } from './text.ts';

const { schema, empty } = survey;
const errorsWith = (changes: object) => validate(schema, { ...OPINION, ...changes }).errors;

it('a form with every control > accepts what a visitor enters, unchanged', () => {
  expect(validate(schema, OPINION)).toEqual({ fields: OPINION });
});

it('an empty form > names each required field', () => {
  expect(validate(schema, empty).errors).toEqual({
    email: ['Email is missing'],
    subject: ['Subject is missing'],
    size: ['Size is missing'],
    start: ['Start is missing'],
    consent: ['You may answer me is missing'],
  });
});

describe('a date', () => {
  it.each([
    ['a time', '2026-03-31T10:00'],
    ['another order', '31.03.2026'],
    ['one digit', '2026-3-1'],
    ['spaces', ' 2026-03-31'],
    ['digits of another script', '２０２６-03-31'],
    ['an expanded year', '+002026-03-31'],
  ])('rejects %s: %j', (_what, start) => {
    expect(errorsWith({ start })).toEqual({ start: [messages.invalidDate] });
  });

  it('is accepted exactly if the calendar has it within the limits', () => {
    const day = fc.record({ year: fc.constantFrom(2025, 2026, 2027), month: fc.nat(13), date: fc.nat(32) });
    fc.assert(
      fc.property(day, ({ year, month, date }) => {
        const start = [year, month, date].map((part) => String(part).padStart(2, '0')).join('-');
        const found = new Date(Date.UTC(year, month - 1, date));
        const isDay = year === 2026 && found.getUTCMonth() === month - 1 && found.getUTCDate() === date;
        expect([start, errorsWith({ start }) === undefined]).toEqual([start, isDay]);
      }),
    );
  });
});

describe('a number', () => {
  it.each(['1', '500', '12.0', '007', ''])('accepts %j', (seats) => {
    expect(errorsWith({ seats })).toBeUndefined();
  });

  it.each(['0', '501', '-1', '12.5', '1e2', '0x10', 'Infinity', 'NaN', '1,5', '1.', '.5', ' 5', '+5', '--5', '１２'])(
    'rejects %j',
    (seats) => {
      expect(errorsWith({ seats })).toEqual({ seats: [messages.invalidNumber] });
    },
  );

  it.each(['0.05', '0.15', '0.35', '7.05', '0.350'])('accepts %j > it is on the step', (hours) => {
    expect(errorsWith({ hours })).toBeUndefined();
  });

  it.each(['0', '1', '0.1', '0.351'])('rejects %j > it is between two steps', (hours) => {
    expect(errorsWith({ hours })).toEqual({ hours: [messages.invalidNumber] });
  });

  it('accepts any decimal number > any step', async () => {
    const rule = numberText('wrong', { step: 'any', min: 1 });
    expect([await rule.isValid('1.2345'), await rule.isValid('0.9')]).toEqual([true, false]);
  });

  it('is accepted as JSON has it', () => {
    expect(validate(schema, { ...OPINION, seats: 12 }).fields?.['seats']).toBe('12');
  });
});

describe('a choice', () => {
  it.each([
    ['subject', 'Service'],
    ['size', 'Medium'],
    ['size', 'large'],
    ['size', 'Small,Large'],
    ['consent', 'no'],
    ['consent', 'on'],
    ['consent', 'true'],
  ])('rejects a value that is not offered > %s is %j', (name, value) => {
    expect(errorsWith({ [name]: value })).toEqual({ [name]: [survey.words.fields[name]?.missing] });
  });

  it('that is not required > accepts that nothing is chosen', () => {
    const { news: _, ...others } = OPINION;
    expect(validate(schema, others)).toEqual({ fields: OPINION });
    expect(errorsWith({ news: 'yes' })).toBeUndefined();
    expect(errorsWith({ news: 'maybe' })).toEqual({ news: ['Send me news is missing'] });
  });

  it('that occurs twice in a plain form > is rejected', () => {
    expect(errorsWith({ size: ['Small', 'Large'] })).toEqual({ size: [messages.invalidInput] });
  });
});

describe('any value of any control', () => {
  it('is validated without an exception, and what is accepted is unchanged the next time', () => {
    const value = fc.oneof(
      fc.anything(),
      fc.string({ unit: anyCharacter }),
      fc.constantFrom(...Object.values(OPINION)),
    );
    const names = Object.keys(OPINION);
    fc.assert(
      fc.property(fc.constantFrom(...names), value, (name, typed) => {
        const { fields } = validate(schema, { ...OPINION, [name]: typed });
        if (fields) expect(validate(schema, fields)).toEqual({ fields });
      }),
    );
  });
});
