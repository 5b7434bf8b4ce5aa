import { useEffect, useLayoutEffect, useRef, type PointerEvent } from 'react';
import { toast as display, ToastContainer, type ToastTransitionProps } from 'react-toastify/unstyled';
import { toastStore, type Toast } from './toast-store.ts';

/** Milliseconds a toast is shown (spec 9); pointing at it pauses the time. */
const DURATION_MS = 5000;

/** Pixels to the right after which a swipe dismisses (spec 9). */
const SWIPE_THRESHOLD_PX = 50;

/** Draws the toast store with react-toastify: one container, one toast in it. */
export function Toaster() {
  const shownId = useRef<string>(null);

  useEffect(
    () =>
      toastStore.subscribe(([toast]) => {
        if (!toast?.open) {
          if (shownId.current) display.dismiss(shownId.current);
          shownId.current = null;
          return;
        }
        const options = {
          toastId: toast.id,
          autoClose: DURATION_MS,
          role: toast.variant === 'destructive' ? 'alert' : 'status',
          type: toast.variant === 'destructive' ? ('error' as const) : ('success' as const),
          onClose: () => toastStore.dismiss(toast.id),
        };
        const body = <ToastBody toast={toast} />;
        if (shownId.current) display.update(shownId.current, { ...options, render: body, delay: 0 });
        else display(body, options);
        shownId.current = toast.id;
      }),
    [],
  );

  return <ToastContainer transition={AtOnce} position="top-right" limit={1} icon={false} draggable={false} closeOnClick={false} aria-label="Notifications" />;
}

/** Comes and goes without an animation of the library's; the style sheet has one for coming. */
function AtOnce({ children, isIn, done, playToast }: ToastTransitionProps) {
  // Once: the library passes a new function at every render, and starting again would end a pause.
  // oxlint-disable-next-line react/exhaustive-deps
  useLayoutEffect(() => playToast(), []);
  useEffect(() => {
    if (!isIn) done();
  }, [isIn, done]);
  return children;
}

function ToastBody({ toast }: { toast: Toast }) {
  const start = useRef<number>(null);
  const begin = ({ clientX }: PointerEvent) => {
    start.current = clientX;
  };
  const end = ({ clientX }: PointerEvent) => {
    if (start.current !== null && clientX - start.current >= SWIPE_THRESHOLD_PX) toastStore.dismiss(toast.id);
    start.current = null;
  };
  return (
    <div className="toast" onPointerDown={begin} onPointerUp={end} onPointerLeave={end}>
      <p className="toast-title">{toast.title}</p>
      {toast.description && <p>{toast.description}</p>}
    </div>
  );
}
