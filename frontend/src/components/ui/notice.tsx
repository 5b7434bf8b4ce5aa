import { useEffect, useRef, type ReactNode } from 'react';

const KINDS = {
  success: { box: 'notice', title: 'text-success' },
  error: { box: 'notice notice-error', title: 'text-error' },
} as const;

export interface NoticeProps {
  readonly id?: string;
  readonly kind: keyof typeof KINDS;
  readonly title: string;
  readonly children: ReactNode;
}

/** Result of an action of the visitor. It is scrolled to the middle, clear of the toast. */
export function Notice({ id, kind, title, children }: NoticeProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Newer browsers return a promise, which an effect must not return.
    void box.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <div ref={box} className={KINDS[kind].box} id={id}>
      <p className={`font-bold ${KINDS[kind].title}`}>{title}</p>
      {children}
    </div>
  );
}
