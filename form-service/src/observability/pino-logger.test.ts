import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { Log } from './log.ts';

/** Returns the output of a statement in a separate process. */
function written(statement: string): string {
  const logger = new URL('pino-logger.ts', import.meta.url);
  const program = `import { PinoLogger } from '${String(logger)}'; const log = new PinoLogger(); ${statement}`;
  return execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
}

it('PinoLogger > omits fields that are not on the allow-list', () => {
  const log = written(`log.log({ event: 'delivered', reference: 'KW-1', email: 'ada@visitor.example' }, 'Delivery')`);
  expect(JSON.parse(log)).toMatchObject({ context: 'Delivery', event: 'delivered', reference: 'KW-1' });
  expect(log).not.toContain('ada@visitor.example');
});

it('PinoLogger > logs name and code of an error, not its message', () => {
  const log = written(`log.error(Object.assign(new TypeError('ada@visitor.example'), { code: 'ERR_X' }), 'Nest')`);
  expect(JSON.parse(log)).toMatchObject({ context: 'Nest', event: 'error', error: 'TypeError', code: 'ERR_X' });
  expect(log).not.toContain('ada@visitor.example');
});

it('LogFields > rejects fields that are not on the allow-list at compile time', () => {
  const log = new Log('test');
  // @ts-expect-error A visitor's address must not be logged.
  const write = () => log.log({ event: 'delivered', email: 'ada@visitor.example' });
  expect(write).toBeInstanceOf(Function);
});

it("Log > is the only user of Nest's logger, which accepts any field", () => {
  const sources = new URL('../', import.meta.url);
  const files = globSync('**/*.ts', { cwd: sources }).filter((file) => !/(integration|test)\.ts$/.test(file));
  const using = files.filter((file) =>
    /\bLogger\b[^;]*'@nestjs\/common'/.test(readFileSync(new URL(file, sources), 'utf8')),
  );
  expect(using.toSorted()).toEqual(['observability/log.ts']);
});

it('PinoLogger > omits the lines about modules and routes > Nest starts', () => {
  const log = written(
    `log.log('Mapped {/api/contact, POST} route', 'RouterExplorer'); log.warn('Unsafe path', 'Nest')`,
  );
  expect(
    log
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { event: string }).event),
  ).toEqual(['Unsafe path']);
});
