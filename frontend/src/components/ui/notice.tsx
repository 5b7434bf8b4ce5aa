import type { ReactNode } from 'react';

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

/** What became of something that the visitor did. */
export const Notice = ({ id, kind, title, children }: NoticeProps) => (
  <div className={KINDS[kind].box} id={id}>
    <p className={`font-bold ${KINDS[kind].title}`}>{title}</p>
    {children}
  </div>
);
