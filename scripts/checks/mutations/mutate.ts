import { parseAst } from 'vite';

/** A node of the syntax tree (ESTree): its type, and its place in the source. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** A part of a file: the source, and the nodes of one export of it. */
export interface Scope {
  readonly source: string;
  readonly root: Node;
}

/** Replaces a part of the source. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

/** A small transformation of one export. */
export type Change = (scope: Scope) => Edit;

/** The source no longer has what a fault changes, or has it more than once. */
export class NotApplicableError extends Error {
  override readonly name = 'NotApplicableError';
}

/**
 * Applies a change to one export of a source.
 *
 * @param file name of the file, which tells TypeScript from TypeScript with JSX
 * @param name name of the export, followed by `.member` for a member of a class or a property of an object
 * @throws NotApplicableError if the name or the pattern does not exist, or is ambiguous
 */
export function mutated(source: string, file: string, name: string, change: Change): string {
  const lang = file.endsWith('x') ? 'tsx' : 'ts';
  const root = exported(parseAst(source, { lang }) as Node, name);
  const { start, end, by } = change({ source, root });
  const changed = source.slice(0, start) + by + source.slice(end);
  if (changed === source) throw new NotApplicableError('the change changes nothing');
  return changed;
}

/** Makes a function return an expression at once. */
export const returns =
  (expression: string): Change =>
  ({ root }) => {
    const fn = nodesIn(root).find(({ type }) => FUNCTIONS.has(type));
    const body = fn && (fn as Node & { readonly body?: Node }).body;
    if (!body) throw new NotApplicableError('it is no function');
    const by = body.type === 'BlockStatement' ? `{ return ${expression}; }` : `(${expression})`;
    return { start: body.start, end: body.end, by };
  };

/** Replaces an expression. */
export const replaces =
  (pattern: string, by: string): Change =>
  (scope) => ({ ...only(scope, pattern, (node) => textOf(scope, node) === squeezed(pattern)), by });

/** Removes the innermost statement that contains a pattern. */
export const drops =
  (pattern: string): Change =>
  (scope) => ({
    ...only(scope, pattern, (node) => STATEMENT.test(node.type) && contains(scope, node, pattern)),
    by: ';',
  });

/** Removes an operand of `&&`, `||` or `??` that contains a pattern. */
export const without =
  (pattern: string): Change =>
  (scope) => {
    const inside = (node: Node) => node.type === 'LogicalExpression' && contains(scope, node, pattern);
    const { start, end, left, right } = only(scope, pattern, inside) as Node & { left: Node; right: Node };
    const kept = contains(scope, left, pattern) ? right : left;
    return { start, end, by: scope.source.slice(kept.start, kept.end) };
  };

/** Replaces a part of a text: a string, a template (such as SQL) or a regular expression. */
export const inText =
  (pattern: string, by: string): Change =>
  ({ source, root }) => {
    const at = nodesIn(root)
      .filter(({ type }) => type === 'Literal' || type === 'TemplateElement')
      .flatMap(({ start, end }) => occurrences(source.slice(start, end), pattern).map((offset) => start + offset));
    return {
      ...theOnly(
        [...new Set(at)].map((start) => ({ start, end: start + pattern.length })),
        pattern,
      ),
      by,
    };
  };

/** Replaces a part of a file that is no TypeScript, such as a configuration of nginx. */
export function mutatedText(source: string, pattern: string, by: string): string {
  const { start } = theOnly(
    occurrences(source, pattern).map((offset) => ({ start: offset })),
    pattern,
  );
  return source.slice(0, start) + by + source.slice(start + pattern.length);
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const STATEMENT = /(?:Statement|^VariableDeclaration)$/;

/** Returns the innermost node that fits. Nodes of the same text at one place count once. */
function only(scope: Scope, pattern: string, fits: (node: Node) => boolean): Node {
  const fitting = nodesIn(scope.root).filter(fits);
  const innermost = fitting.filter(
    (node) => !fitting.some((other) => other !== node && other.start >= node.start && other.end <= node.end),
  );
  const isSame = (node: Node, other?: Node) => node.start === other?.start && node.end === other.end;
  return theOnly(
    innermost.length > 0 ? innermost : fitting.filter((node) => isSame(node, fitting[0])).slice(0, 1),
    pattern,
  );
}

function theOnly<T>(found: readonly T[], pattern: string): T {
  const [first, ...more] = found;
  if (first === undefined) throw new NotApplicableError(`it has no ${JSON.stringify(pattern)}`);
  if (more.length > 0) throw new NotApplicableError(`it has ${JSON.stringify(pattern)} ${found.length} times`);
  return first;
}

const contains = (scope: Scope, node: Node, pattern: string) => textOf(scope, node).includes(squeezed(pattern));

const textOf = ({ source }: Scope, { start, end }: Node) => squeezed(source.slice(start, end));

/** Removes what a formatter changes: white space, and a comma before a closing bracket. */
const squeezed = (code: string) => code.replaceAll(/\s+/g, '').replaceAll(/,(?=[)\]}])/g, '');

function occurrences(text: string, pattern: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + 1)) found.push(at);
  return found;
}

/** Returns a node and all nodes below it. */
function nodesIn(node: Node): Node[] {
  return [node, ...childrenOf(node).flatMap(nodesIn)];
}

const childrenOf = (node: Node): Node[] =>
  Object.values(node)
    .flat()
    .filter((value): value is Node => typeof (value as Partial<Node> | null)?.type === 'string');

interface Named extends Node {
  readonly id?: { readonly name?: string };
  readonly key?: { readonly name?: string; readonly value?: unknown };
}

/** Returns the declaration of `name`, or of `name.member`. Declarations of the module that are not exported count too. */
function exported(program: Node, path: string): Node {
  return path.split('.').reduce<Node>((node, name) => {
    const found = shallowest(childrenOf(node), (one) => {
      const { id, key } = one as Named;
      return (id?.name ?? key?.name ?? key?.value) === name;
    });
    if (!found) throw new NotApplicableError(`it has no ${path}`);
    return found;
  }, program);
}

/** Returns the first node that fits at the lowest depth: a member of a class, not a variable in its constructor. */
function shallowest(nodes: readonly Node[], fits: (node: Node) => boolean): Node | undefined {
  if (nodes.length === 0) return undefined;
  return nodes.find(fits) ?? shallowest(nodes.flatMap(childrenOf), fits);
}
