/** Address of the picture shown when a page is shared; the build draws one a page. */
export const socialImagePath = (path: string) =>
  `/images/social/${path === '/' ? 'home' : path.slice(1).replaceAll('/', '-')}.jpg`;
