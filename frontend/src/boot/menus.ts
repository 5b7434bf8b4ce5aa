/**
 * Closes the top bar's menus: on Escape (the focus returns to the menu's name), on a click or focus elsewhere, and when
 * a link in them is followed. They open on their own, being `<details>` and a popover.
 */
export function closeMenus(): void {
  const close = (except?: Element | null) => {
    for (const menu of document.querySelectorAll<HTMLDetailsElement>('.menu[open]')) if (menu !== except) menu.open = false;
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
    } else {
      close(element.closest('.menu'));
    }
  });

  document.addEventListener('focusin', ({ target }) => {
    // In the small screen's list, a group that closed under the finger would move the one that is being tapped.
    if (!openSiteMenu()) close((target as Element).closest('.menu'));
  });

  document.addEventListener('keydown', (event) => {
    const open = event.key === 'Escape' && document.querySelector<HTMLDetailsElement>('.menu[open]');
    if (!open) return;
    open.open = false;
    open.querySelector('summary')?.focus();
    // In the small screen's menu the first Escape closes the group, the next one the menu.
    event.preventDefault();
  });
}
