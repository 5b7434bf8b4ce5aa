import { createContext, use } from 'react';
import type { Action } from 'virtual:content';
import { Icon } from './icon.tsx';

/** Anchor of the application form, which a link reaches also where no script runs. */
export const APPLICATION_ANCHOR = 'application';

/** The service of the enquiry form that the page is about. */
export const PageService = createContext<string | undefined>(undefined);

/** The form itself, where `boot/chosen-service.ts` chooses the service. */
const formFor = (service: string | undefined) =>
  `/contact${service ? `?service=${encodeURIComponent(service)}` : ''}#contact-form-section`;

/** Classes of what is drawn as a button, be it a link or a real one. */
export const button = { primary: 'button', secondary: 'button button-quiet' } as const;

/** A square that holds nothing but an icon. */
export const iconButton =
  'inline-grid size-11 flex-none cursor-pointer place-content-center rounded-sm hover:bg-current/10';

export interface ActionsProps {
  readonly actions: readonly Action[];
  /** In a section that is set small, where no button calls. */
  readonly quiet?: boolean;
  readonly className?: string;
}

/** Things to press, the first one the main one. */
export const Actions = ({ actions, quiet = false, className = '' }: ActionsProps) => (
  <p className={`flex flex-wrap gap-x-4 gap-y-3 ${className}`}>
    {actions.map((action, index) => (
      <ActionLink key={action.label} action={action} variant={index === 0 && !quiet ? 'primary' : 'secondary'} />
    ))}
  </p>
);

export interface ActionLinkProps {
  readonly action: Action;
  readonly variant?: keyof typeof button;
  readonly className?: string;
}

/** One thing to press, drawn as a button. */
export function ActionLink({ action, variant = 'primary', className = '' }: ActionLinkProps) {
  const classes = `${button[variant]} ${className}`.trim();
  const service = use(PageService);
  if ('opens' in action) {
    return (
      <a className={classes} href={`#${APPLICATION_ANCHOR}`} aria-haspopup="dialog">
        {action.label}
      </a>
    );
  }
  const href = action.href === '/contact?service' ? formFor(service) : action.href;
  return (
    <a className={classes} href={href} {...(action.newTab ? { target: '_blank', rel: 'noopener' } : {})}>
      {action.label}
      {action.about && <span className="sr-only">{` about ${action.about}`}</span>}
      {href.startsWith('/') && <Icon name="arrow-right" className="eased" />}
    </a>
  );
}
