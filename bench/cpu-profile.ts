/** A profile as V8 writes it (`--cpu-prof`), as far as it is read here. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: CallFrame;
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  /** Microseconds between samples. */
  readonly timeDeltas: readonly number[];
}

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
}

/** A function and what it called, with the time spent in both. */
export interface Frame {
  readonly name: string;
  readonly owner: string;
  /** Microseconds. */
  time: number;
  readonly children: Map<string, Frame>;
}

/** Not work: waiting, and what V8 does for itself. */
const IDLE = new Set(['(idle)', '(program)']);

/** Loading the program is over before there is work. */
const LOADING = 'node:internal/modules/';

/** The calls of a profile, equal ones merged, without the start and the time in which nothing ran. */
export function callTree({ nodes, samples, timeDeltas }: CpuProfile): Frame {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const root: Frame = { name: 'all', owner: '', time: 0, children: new Map() };
  for (const [index, sample] of samples.entries()) {
    const stack: CallFrame[] = [];
    for (let id: number | undefined = sample; id !== undefined; id = parents.get(id))
      stack.unshift(byId.get(id)?.callFrame ?? { functionName: '', url: '' });
    if (IDLE.has(stack.at(-1)?.functionName ?? '') || stack.some(({ url }) => url.startsWith(LOADING))) continue;
    add(root, stack.slice(1), timeDeltas[index] ?? 0);
  }
  return root;
}

function add(root: Frame, stack: readonly CallFrame[], time: number): void {
  let frame = root;
  frame.time += time;
  for (const { functionName, url } of stack) {
    const name = functionName || '(anonymous)';
    const owner = ownerOf(url);
    const key = `${name} ${owner}`;
    let child = frame.children.get(key);
    if (!child) frame.children.set(key, (child = { name, owner, time: 0, children: new Map() }));
    child.time += time;
    frame = child;
  }
}

/** Whose code it is: a package, a part of Node.js, or a file of ours. */
function ownerOf(url: string): string {
  const library = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (library) return library;
  if (url.startsWith('node:')) return url;
  return /dist\/(.+)$/.exec(url)?.[1] ?? '';
}
