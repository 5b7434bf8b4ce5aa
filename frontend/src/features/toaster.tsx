import { useEffect, useLayoutEffect, useRef, type PointerEvent } from 'react';
import {
  toast,
  ToastContainer,
  type ToastContainerProps,
  type ToastContentProps,
  type ToastTransitionProps,
} from 'react-toastify/unstyled';
import { messages } from 'form-service/contract/messages';
import { Icon } from '../components/ui/icon.tsx';

/** Milliseconds for which a toast is shown; pointing at it pauses the time. */
const DURATION_MS = 5000;

/** Distance of a swipe to the right, in pixels, that dismisses a toast. */
const SWIPE_THRESHOLD_PX = 50;

/** Milliseconds for which the list keeps a dismissed toast, which is no longer visible. */
const REMOVE_DELAY_MS = 1_000_000;

export interface Notice {
  readonly title: string;
  readonly description: string;
  readonly type: 'success' | 'error';
}

export const dismissToasts = (): void => toast.dismiss();

/**
 * Shows a toast in place of any other. If the toast has the focus when it closes, the focus returns to the previous
 * element.
 */
export function notify({ title, description, type }: Notice): void {
  const before = document.activeElement;
  const onClose = () => {
    const isFocused = document.activeElement?.closest('.Toastify');
    if (isFocused && before instanceof HTMLElement) before.focus({ preventScroll: true });
  };
  dismissToasts();
  toast(<Body title={title} description={description} />, { type, onClose });
}

const CloseButton = ({ closeToast }: Pick<ToastContentProps, 'closeToast'>) => (
  <button
    className="absolute top-[0.35rem] right-[0.35rem] grid size-10 cursor-pointer place-content-center"
    type="button"
    aria-label={messages.close}
    onClick={() => closeToast(true)}
  >
    <Icon name="x" className="size-4" />
  </button>
);

/** The progress bar is selected by a part of its class, because Tailwind reads the library's underscores as spaces. */
const TOAST =
  'relative [touch-action:pan-y] overflow-clip rounded-md border border-line bg-surface pt-4 pr-13 pb-[1.35rem] pl-5 elevation-float animate-rise [&_[class*=bar--bg]]:hidden [&_[class*=bar--wrp]]:absolute [&_[class*=bar--wrp]]:inset-x-0 [&_[class*=bar--wrp]]:bottom-0 [&_[class*=bar--wrp]]:h-1';

/** At the bottom, because a confirmation is scrolled to the top; above the cookie banner while it asks. */
const CONTAINER =
  'fixed right-6 bottom-6 z-70 w-88 max-sm:inset-x-4 max-sm:bottom-[calc(1rem+env(safe-area-inset-bottom))] max-sm:w-auto [:has([data-consent=ask])_&]:not-low:bottom-34';

const progressClass = (isError: boolean) =>
  `h-full origin-left animate-progress ${isError ? 'bg-error' : 'bg-success'}`;

const SETTINGS: ToastContainerProps = {
  autoClose: DURATION_MS,
  transition: AtOnce,
  closeOnClick: false,
  closeButton: CloseButton,
  icon: false,
  // The library's own drag dismisses to the left too.
  draggable: false,
  // The container is a live region itself: a toast with one of its own would be read twice.
  role: undefined,
  'aria-label': messages.notifications,
  className: CONTAINER,
  toastClassName: TOAST,
  progressClassName: (bar) => `${bar?.defaultClassName} ${progressClass(bar?.type === 'error')}`,
};

/** Container that shows the toasts. */
export const Toaster = () => <ToastContainer {...SETTINGS} />;

/** A toast of each kind with the classes that the library gives it: on a server the library draws none. */
export const ToastStates = () => (
  <div className={CONTAINER}>
    {[false, true].map((isError) => (
      <div key={String(isError)} className={TOAST}>
        <Body title="" description="" />
        <CloseButton closeToast={() => undefined} />
        <div className={progressClass(isError)} />
      </div>
    ))}
  </div>
);

/** Replaces the library's animations; the style sheet has one for the entrance. */
function AtOnce({ children, isIn, done, playToast }: ToastTransitionProps) {
  // The library passes new functions at every render, and starting again would end a pause.
  // oxlint-disable-next-line react/exhaustive-deps
  useLayoutEffect(() => playToast(), []);
  useEffect(() => {
    if (isIn) return undefined;
    const removal = setTimeout(done, REMOVE_DELAY_MS);
    return () => clearTimeout(removal);
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isIn]);
  return isIn && children;
}

/** Props that the library adds: the function that closes the toast. */
function Body({ title, description, closeToast }: Pick<Notice, 'title' | 'description'> & Partial<ToastContentProps>) {
  const start = useRef<number>(null);
  // A mouse selects the text, which can then be copied.
  const begin = ({ clientX, pointerType }: PointerEvent) => {
    if (pointerType !== 'mouse') start.current = clientX;
  };
  const end = ({ clientX }: PointerEvent) => {
    if (start.current !== null && clientX - start.current >= SWIPE_THRESHOLD_PX) closeToast?.(true);
    start.current = null;
  };
  return (
    <div data-toast onPointerDown={begin} onPointerUp={end} onPointerLeave={end}>
      <p className="font-bold">{title}</p>
      <p>{description}</p>
    </div>
  );
}
