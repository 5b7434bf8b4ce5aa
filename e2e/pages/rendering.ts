import type { Page } from '@playwright/test';

/** Trace event of Chromium's timeline. */
interface TraceEvent {
  readonly name: string;
  readonly args: {
    readonly beginData?: { readonly frame?: string; readonly stackTrace?: readonly { readonly url: string }[] };
    readonly data?: {
      readonly frame?: string;
      readonly nodeName?: string;
      readonly compositeFailed?: number;
      readonly unsupportedProperties?: readonly string[];
    };
  };
}

/** Work of the browser to show a page. */
export interface Rendering {
  readonly layouts: number;
  /** Frames that the main thread painted. */
  readonly frames: number;
  /** Layouts and recalculations of styles that a script of the page had to wait for, because it read after a change. */
  readonly forced: number;
  /** Animations that the compositor refuses, so that each of their frames is laid out or painted. */
  readonly refused: readonly string[];
}

const CATEGORIES = ['devtools.timeline', 'disabled-by-default-devtools.timeline.stack', 'blink.animations'];

/**
 * Flag of an animation that the compositor need not run, because it is out of sight (`FailureReason` in Chromium's
 * `compositor_animations.h`).
 */
const NOT_VISIBLE = 1 << 17;

/** Records what Chromium does in the page's main frame while `work` runs. SVG images have frames of their own. */
export async function recordRendering(page: Page, work: () => Promise<void>): Promise<Rendering> {
  const client = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  client.on('Tracing.dataCollected', ({ value }) => void events.push(...(value as unknown as TraceEvent[])));
  const complete = new Promise((resolve) => void client.once('Tracing.tracingComplete', resolve));
  await client.send('Tracing.start', { traceConfig: { includedCategories: CATEGORIES } });
  await work();
  const { frameTree } = await client.send('Page.getFrameTree');
  await client.send('Tracing.end');
  await complete;
  await client.detach();
  const named = (name: string) =>
    events.filter(({ name: own, args }) => own === name && (args.beginData ?? args.data)?.frame === frameTree.frame.id);
  const paints = named('Paint');
  // Functions of the test have no address.
  const isForced = ({ args }: TraceEvent) => args.beginData?.stackTrace?.some(({ url }) => url !== '');
  return {
    layouts: named('Layout').length,
    frames: paints.filter(({ args }) => args.data?.nodeName === '#document').length,
    forced: [...named('Layout'), ...named('UpdateLayoutTree')].filter(isForced).length,
    refused: refusedOf(events),
  };
}

/** Returns property and reason of each refused animation of a page. */
const refusedOf = (events: readonly TraceEvent[]): string[] =>
  events
    .flatMap(({ args }) => args.data ?? [])
    .filter(({ compositeFailed = 0 }) => (compositeFailed & ~NOT_VISIBLE) > 0)
    .map((data) => `${data.unsupportedProperties?.join() ?? ''} (${data.compositeFailed})`);
