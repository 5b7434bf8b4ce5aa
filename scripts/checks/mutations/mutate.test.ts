import { describe, expect, it } from '@jest/globals';
import { drops, inText, mutated, mutatedText, replaces, returns, without, type Change } from './mutate.ts';

const SOURCE = `
export const LIMIT = 10;
export const isFree = (é: number, b: boolean) => é < LIMIT && b;
export class Store extends Base<{ size: [] }> {
  constructor() {
    super();
    const read = () => 1;
    read();
  }
  @Timed() private async read(id: string): Promise<string> {
    await this.sync(
      id,
    );
    if (id === '' || this.closed) throw new Error('closed');
    return sql\`SELECT x WHERE id = \${id} AND token = 1\`;
  }
  get size() { return this.rows.length; }
}
function helper() { return 1; }
`;

const mutate = (name: string, change: Change) => mutated(SOURCE, 'store.ts', name, change);

describe('mutated', () => {
  it.each([
    ['a number', 'LIMIT', replaces('10', '11'), 'LIMIT = 11;'],
    ['an operator > after a letter of two bytes', 'isFree', replaces('é < LIMIT', 'é <= LIMIT'), '=> é <= LIMIT && b'],
    ['an operand', 'isFree', without('b'), 'boolean) => é < LIMIT;'],
    ['the result of an arrow function', 'isFree', returns('true'), '=> (true);'],
    ['the result of a method', 'Store.read', returns("''"), "Promise<string> { return ''; }"],
    ['a statement > formatted otherwise', 'Store.read', drops('this.sync(id)'), '{\n    ;\n    if'],
    ['an alternative', 'Store.read', without('this.closed'), "if (id === '') throw"],
    ['a part of SQL', 'Store.read', inText(' AND token = 1', ''), 'WHERE id = ${id}`'],
    ['a getter', 'Store.size', returns('0'), 'get size() { return 0; }'],
    ['a function that is not exported', 'helper', replaces('1', '2'), 'return 2;'],
  ])('changes %s', (_what, name, change, expected) => {
    expect(mutate(name, change)).toContain(expected);
  });

  it.each([
    ['the export is gone', 'Gone', returns('0'), 'no Gone'],
    ['the member is gone', 'Store.write', returns('0'), 'no Store.write'],
    ['the pattern is gone', 'isFree', replaces('é > LIMIT', ''), 'no "é > LIMIT"'],
    ['the pattern is in another export', 'helper', replaces('10', '11'), 'no "10"'],
    ['the pattern is ambiguous', 'Store.read', replaces('id', 'x'), 'times'],
    ['nothing changes', 'LIMIT', replaces('10', '10'), 'changes nothing'],
    ['it is no function', 'LIMIT', returns('0'), 'no function'],
  ])('does not apply > %s', (_why, name, change, message) => {
    expect(() => mutate(name, change)).toThrow(message);
  });
});

describe('mutatedText', () => {
  it('changes the only place', () => {
    expect(mutatedText('deny all;\nallow a;', 'deny all;', '')).toBe('\nallow a;');
  });

  it.each(['allow', 'a'])('does not apply > %j occurs never, or twice', (pattern) => {
    expect(() => mutatedText('deny a;\ndeny a;', pattern, '')).toThrow(JSON.stringify(pattern));
  });
});
