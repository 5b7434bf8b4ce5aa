import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { parse } from 'yaml';

export interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly name?: string;
  /** Action with its commit, such as `actions/checkout@11bd719`. */
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Job {
  readonly if?: string;
  readonly needs?: string | readonly string[];
  /** Workflow that the job calls instead of steps of its own. */
  readonly uses?: string;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly strategy?: {
    readonly matrix: { readonly include?: readonly Values[] } & Readonly<Record<string, string | readonly Values[]>>;
  };
  readonly steps?: readonly Step[];
}

export interface Workflow {
  readonly concurrency: { readonly group: string };
  readonly jobs: Readonly<Record<string, Job>>;
}

export type Values = Readonly<Record<string, unknown>>;

/** What expressions can name: `github`, `steps`, `needs`, `matrix`. */
export type Contexts = Readonly<Record<string, unknown>>;

const FOLDER = fileURLToPath(new URL('../../.github/workflows', import.meta.url));

/** Returns the workflows of the repository by file name. */
export function readWorkflows(): Readonly<Record<string, Workflow>> {
  const read = (name: string) => parse(readFileSync(join(FOLDER, name), 'utf8')) as Workflow;
  return Object.fromEntries(readdirSync(FOLDER).map((name) => [name, read(name)]));
}

/** Event that starts a workflow, as the context `github`. */
export function githubOf(event: { readonly event_name: string; readonly ref: string; readonly schedule?: string }) {
  return {
    event_name: event.event_name,
    ref: event.ref,
    event: { schedule: event.schedule ?? '', repository: { private: false } },
    repository: 'Acme/Site',
    server_url: 'https://github.com',
    actor: 'octocat',
    token: 'secret',
  };
}

const FUNCTIONS = {
  fromJSON: JSON.parse,
  startsWith: (text: string, start: string) => text.startsWith(start),
  /** No step of these runs has failed. */
  failure: () => false,
};

/**
 * Evaluates an expression. The operators that the workflows use mean the same in JavaScript.
 *
 * @throws Error if the expression names a value that no step, job or event has
 */
export function evaluate(expression: string, contexts: Contexts): unknown {
  const value: unknown = runInContext(expression, createContext({ ...contexts, ...FUNCTIONS }));
  if (value === undefined) throw new Error(`"${expression}" has no value`);
  return value;
}

const isOneExpression = /^\$\{\{([^}]*)\}\}$/;

/** Replaces the expressions in a text. */
export const fill = (text: string, contexts: Contexts) =>
  text.replaceAll(/\$\{\{(.*?)\}\}/g, (_, expression: string) => String(evaluate(expression, contexts)));

/** Whether a job or step runs, by its `if`. */
export const isWanted = ({ if: condition = 'true' }: Pick<Job, 'if'>, contexts: Contexts) =>
  Boolean(evaluate(isOneExpression.exec(condition)?.[1] ?? condition, contexts));

/** Returns the values of `matrix` for each run of a job. */
export function matrixOf({ strategy }: Job, contexts: Contexts): readonly Values[] {
  if (strategy === undefined) return [{}];
  const { include, ...axes } = strategy.matrix;
  if (include) return include;
  return Object.entries(axes).flatMap(([name, values]) => {
    const all = typeof values === 'string' ? evaluate(isOneExpression.exec(values)?.[1] ?? values, contexts) : values;
    return (all as readonly unknown[]).map((value) => ({ [name]: value }));
  });
}
