import { execFileSync } from 'node:child_process';
import { expect, it } from '@jest/globals';

/** What a process of its own writes, as the log of api and worker is written. */
function written(statement: string): string {
  const logger = new URL('pino-logger.ts', import.meta.url);
  const program = `import { PinoLogger } from '${String(logger)}'; const log = new PinoLogger(); ${statement}`;
  return execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
}

it('A field that is not on the list of harmless ones is not logged, whoever adds it', () => {
  const log = written(`log.log({ event: 'delivered', reference: 'KW-1', email: 'ada@visitor.example' }, 'Delivery')`);
  expect(JSON.parse(log)).toMatchObject({ context: 'Delivery', event: 'delivered', reference: 'KW-1' });
  expect(log).not.toContain('ada@visitor.example');
});

it('Of an error the name and the code are logged, and not its message', () => {
  const log = written(`log.error(Object.assign(new TypeError('ada@visitor.example'), { code: 'ERR_X' }), 'Nest')`);
  expect(JSON.parse(log)).toMatchObject({ context: 'Nest', event: 'error', error: 'TypeError', code: 'ERR_X' });
  expect(log).not.toContain('ada@visitor.example');
});
