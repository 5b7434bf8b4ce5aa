/** What a toast says. `destructive` is the style of a failure. */
export interface ToastContent {
  readonly title: string;
  readonly description?: string;
  readonly variant?: 'default' | 'destructive';
}

export interface Toast extends ToastContent {
  readonly id: string;
  /** False once dismissed; a closed toast leaves the list later. */
  readonly open: boolean;
}

/** Toasts visible at once; a new one replaces the older (spec 9). */
const LIMIT = 1;

/** Milliseconds after which a dismissed toast is removed from the list (spec 9). */
const REMOVE_DELAY_MS = 1_000_000;

type Listener = (toasts: readonly Toast[]) => void;

/** The list of toasts and what may be done with them (spec 4, "Toasts"). Drawing them is the toaster's part. */
export class ToastStore {
  #toasts: readonly Toast[] = [];
  #lastId = 0;
  readonly #listeners = new Set<Listener>();

  get toasts(): readonly Toast[] {
    return this.#toasts;
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Adds an open toast in place of the older one. */
  add(content: ToastContent) {
    this.#lastId += 1;
    const id = String(this.#lastId);
    this.#set([{ ...content, id, open: true }, ...this.#toasts].slice(0, LIMIT));
    return {
      id,
      update: (changes: Partial<ToastContent>) => this.update(id, changes),
      dismiss: () => this.dismiss(id),
    };
  }

  update(id: string, changes: Partial<ToastContent>): void {
    this.#set(this.#toasts.map((toast) => (toast.id === id ? { ...toast, ...changes } : toast)));
  }

  /** Closes the named toast, or all of them when none is named. */
  dismiss(id?: string): void {
    const closing = this.#toasts.filter((toast) => toast.open && (id === undefined || toast.id === id));
    if (closing.length === 0) return;
    this.#set(this.#toasts.map((toast) => (closing.includes(toast) ? { ...toast, open: false } : toast)));
    for (const { id: closed } of closing) {
      setTimeout(() => this.#set(this.#toasts.filter((toast) => toast.id !== closed)), REMOVE_DELAY_MS);
    }
  }

  #set(toasts: readonly Toast[]): void {
    this.#toasts = toasts;
    for (const listener of this.#listeners) listener(toasts);
  }
}

export const toastStore = new ToastStore();
