import { jest } from '@jest/globals';
import type { CompiledQuery, KyselyPlugin } from 'kysely';
import type { Database } from '../src/database/database.ts';

/** Records the statements that the database runs from now on, with the parameters of one run. */
export function recorded(database: Database): Map<string, readonly unknown[]> {
  const statements = new Map<string, readonly unknown[]>();
  const run = database.run.bind(database);
  jest.spyOn(database, 'run').mockImplementation((work) =>
    run((kysely) => {
      const compiler = kysely.getExecutor().withoutPlugins();
      const recorder: KyselyPlugin = {
        transformQuery: ({ node, queryId }) => {
          const { sql, parameters }: CompiledQuery = compiler.compileQuery(node, queryId);
          statements.set(sql, parameters);
          return node;
        },
        transformResult: async ({ result }) => result,
      };
      return work(kysely.withPlugin(recorder));
    }),
  );
  return statements;
}
