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

/** What became of something that the visitor did. It comes below what was done, and on a phone that is the end of the screen. */
export function Notice({ id, kind, title, children }: NoticeProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Newer browsers answer with a promise, which is no effect's end.
    void box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={box} className={KINDS[kind].box} id={id}>
      <p className={`font-bold ${KINDS[kind].title}`}>{title}</p>
      {children}
    </div>
  );
}
