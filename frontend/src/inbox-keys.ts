/**
 * Keyboard shortcuts of the inbox. Its pages allow only this script, by its address, and work without it. Shortcuts of one
 * character disturb speech input, so they are off until the user switches them on in the dialog (WCAG 2.1.4).
 */
const STORED = 'inbox-keys';

const find = (selector: string, within: ParentNode = document) => within.querySelector<HTMLElement>(selector);
const dialog = document.querySelector<HTMLDialogElement>('#keys');
const toggle = dialog?.querySelector('input');
const rows = [...document.querySelectorAll<HTMLElement>('form[action="/inbox/mark"] li')];
const currentRow = () => rows.findIndex((row) => row.contains(document.activeElement));

/** Moves to another row of the list. */
function move(step: 1 | -1): void {
  // "Back to the list" leads to the row of the submission, which then is the target and has no focus.
  const from = [currentRow(), rows.findIndex((row) => row.matches(':target'))].find((index) => index >= 0) ?? -1;
  const row = rows[Math.min(rows.length - 1, Math.max(0, from + step))];
  if (row) find('a', row)?.focus();
}

function tick(): void {
  const row = rows[currentRow()];
  if (row) find('input', row)?.click();
}

const ACTIONS: Readonly<Record<string, () => void>> = {
  j: () => move(1),
  k: () => move(-1),
  x: tick,
  e() {
    if (!find('main li :checked')) tick();
    find('[data-key=e]')?.click();
  },
  u: () => find('[data-key=u]')?.click(),
  '?': () => dialog?.showModal(),
};

/** Reads and writes the choice. Browsers may refuse to store anything; then it lasts as long as the page. */
function remember(isOn?: boolean): boolean {
  try {
    if (isOn !== undefined) localStorage.setItem(STORED, String(isOn));
    return localStorage.getItem(STORED) === 'true';
  } catch {
    return false;
  }
}

const button = find('#keys-opener');
if (dialog && toggle && button) {
  button.hidden = false;
  button.onclick = () => dialog.showModal();
  toggle.checked = remember();
  toggle.onchange = () => remember(toggle.checked);
  addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, altKey, metaKey, isComposing, repeat } = event;
    const isInField = target instanceof Element && target.matches('input:not([type=checkbox]), select, textarea');
    if (!toggle.checked || dialog.open || isInField || ctrlKey || altKey || metaKey || isComposing) return;
    // A key that is held down moves on, and changes nothing twice.
    const action = repeat && key !== 'j' && key !== 'k' ? undefined : ACTIONS[key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
