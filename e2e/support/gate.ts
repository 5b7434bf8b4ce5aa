import type { Page } from '@playwright/test';

/** Holds back every request to the address until it is opened. */
export async function holdBack(page: Page, url: string): Promise<{ open(): void }> {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  await page.route(url, async (route) => {
    await opened;
    await route.fallback();
  });
  return { open: () => open() };
}
