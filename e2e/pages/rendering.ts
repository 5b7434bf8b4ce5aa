import type { Page } from '@playwright/test';

/** Trace event of Chromium's timeline. */
interface TraceEvent {
  readonly name: string;
  readonly id2?: { readonly local?: string };
  readonly args: {
    readonly frame?: string;
    readonly beginData?: { readonly frame?: string; readonly stackTrace?: readonly object[] };
    readonly data?: {
      readonly frame?: string;
      readonly compositeFailed?: number;
      readonly unsupportedProperties?: readonly string[];
      readonly displayName?: string;
      readonly nodeName?: string;
    };
  };
}

/** What the browser did to show a page, by Chromium's timeline. */
export interface Rendering {
  readonly layouts: number;
  readonly paints: number;
  /** Layouts that a script had to wait for, because it read a position after a change. */
  readonly forcedLayouts: number;
  /** Recalculations of styles that a script had to wait for. */
  readonly forcedStyles: number;
  /** Animations that the compositor refuses, so that each of their frames is laid out or painted. */
  readonly refused: readonly string[];
}

const CATEGORIES = ['devtools.timeline', 'disabled-by-default-devtools.timeline.stack', 'blink.animations'];

/** Records what the browser does in the page's main frame while `work` runs. SVG images have frames of their own. */
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
  const own = ({ args }: TraceEvent) => (args.beginData ?? args.data)?.frame === frameTree.frame.id;
  const named = (name: string) => events.filter((event) => event.name === name).filter(own);
  const forced = (name: string) => named(name).filter(({ args }) => args.beginData?.stackTrace).length;
  return {
    layouts: named('Layout').length,
    paints: named('Paint').length,
    forcedLayouts: forced('Layout'),
    forcedStyles: forced('UpdateLayoutTree'),
    refused: events.flatMap(({ id2, args: { data } }) => {
      const animation = events.find((event) => event.id2?.local === id2?.local && event.args.data?.nodeName)?.args.data;
      return data?.compositeFailed
        ? [`${animation?.nodeName} ${animation?.displayName} ${data.unsupportedProperties ?? ''} (${data.compositeFailed})`]
        : [];
    }),
  };
}
