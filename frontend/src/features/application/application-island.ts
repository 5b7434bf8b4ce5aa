/** React and the form are taken in one after the other, so that a slow phone is never busy for long. */
export async function hydrate(): Promise<void> {
  const [{ hydrateIsland }, { ApplicationForm }] = await Promise.all([
    import('../hydrate-island.ts'),
    import('./application-form.tsx'),
  ]);
  hydrateIsland(ApplicationForm);
}
