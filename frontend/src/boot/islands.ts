/** What an island's element names. */
interface IslandModule {
  readonly hydrate: () => Promise<void>;
}

const TOUCHES = ['pointerover', 'pointerdown', 'focusin', 'keydown'];

/** What is near an island: the section or dialog that it is in, and the links that open the dialog. */
const NEAR = ':is(section, dialog):has([data-island]), [aria-haspopup=dialog]';

/**
 * Loads what takes the page's island over, when the visitor points at it, focuses it or types in it. Until then, and
 * where it cannot be loaded, it is plain HTML, which works.
 */
export function loadIslands(): void {
  const touch = ({ target }: Event) => {
    if (!(target instanceof Element && target.closest(NEAR))) return;
    const island = document.querySelector<HTMLElement>('[data-island]');
    if (!island) return;
    for (const type of TOUCHES) removeEventListener(type, touch);
    // Another touch is another try, for the line may be back by then.
    (import(/* @vite-ignore */ island.dataset.island ?? '') as Promise<IslandModule>)
      .then(({ hydrate }) => hydrate())
      .catch(listen);
  };
  const listen = () => {
    for (const type of TOUCHES) addEventListener(type, touch, { passive: true });
  };
  listen();
}
