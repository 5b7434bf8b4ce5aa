/** From this width on, the menu is a bar and not a popover (`--breakpoint-bar` in `styles/app.css`). */
const WIDE = '(min-width: 76rem)';

const MENU = '#site-menu details';

/**
 * The bar has one open menu at a time. In the small screen's list, a menu that closes would move the link under the
 * finger.
 */
const GROUP = 'site-menus';

/**
 * Closes the top bar's menus on Escape (the focus returns to the menu's name), on a click or focus elsewhere, and when
 * a link in them is followed. They open without script, as `<details>` and a popover.
 */
export function closeMenus(): void {
  const menus = () => document.querySelectorAll<HTMLDetailsElement>(MENU);
  const close = (except?: Element | null) => {
    for (const menu of menus()) if (menu !== except) menu.open = false;
  };

  const openSiteMenu = () => {
    const siteMenu = document.getElementById('site-menu');
    return siteMenu?.matches(':popover-open') ? siteMenu : undefined;
  };

  document.addEventListener('click', ({ target }) => {
    const element = target as Element;
    if (element.closest('nav a')) {
      close();
      openSiteMenu()?.hidePopover();
    } else if (!openSiteMenu()) {
      close(element.closest(MENU));
    }
  });

  document.addEventListener('focusin', ({ target }) => {
    const element = target as Element;
    // The small screen's menu covers the page, so it closes when the focus leaves it.
    if (!openSiteMenu()) close(element.closest(MENU));
    else if (!element.closest('#site-menu')) openSiteMenu()?.hidePopover();
  });

  const onToggle = ({ target, newState }: ToggleEvent) => {
    if ((target as Element).id !== 'site-menu') return;
    close();
    for (const menu of menus()) menu.name = newState === 'open' ? '' : GROUP;
  };
  // `toggle` does not bubble.
  document.addEventListener('beforetoggle', onToggle as EventListener, true);

  // A tablet that is rotated may show the bar again.
  matchMedia(WIDE).addEventListener('change', () => openSiteMenu()?.hidePopover());

  document.addEventListener('keydown', (event) => {
    const open = event.key === 'Escape' && document.querySelector<HTMLDetailsElement>(`${MENU}[open]`);
    if (!open) return;
    open.open = false;
    open.querySelector('summary')?.focus();
    // In the small screen's menu the first Escape closes the group, the next one the menu.
    event.preventDefault();
  });
}
