import { createContext, use } from 'react';
import { dialogForm, wording, type Action } from 'virtual:content';
import { Icon } from './icon.tsx';

/** Service of the enquiry form that the page is about. */
export const PageService = createContext<string | undefined>(undefined);

/** Returns the address of the enquiry form, where `boot/chosen-service.ts` selects the service. */
const formFor = (service: string | undefined) =>
  `/contact${service ? `?service=${encodeURIComponent(service)}` : ''}#contact-form-section`;

/** Classes of links and buttons that look like a button. */
export const button = { primary: 'button', secondary: 'button button-quiet' } as const;

/** The primary button while its form is sent. */
export const sendingButton = 'button border-transparent bg-sending text-ink';

/** Square button that contains only an icon. */
export const iconButton =
  'inline-grid size-11 flex-none cursor-pointer place-content-center rounded-sm hover:bg-current/10';

export interface ActionsProps {
  readonly actions: readonly Action[];
  /** Whether no action is filled: only hero and closing band have a filled one. */
  readonly quiet?: boolean;
  readonly className?: string;
}

/** Links and buttons in a row. The first is the main one. */
export function Actions({ actions, quiet = false, className = '' }: ActionsProps) {
  const isOnPhone = actions.every(({ phone }) => phone);
  return (
    <p className={`flex flex-wrap gap-x-4 gap-y-3 ${isOnPhone ? 'lg:hidden ' : ''}${className}`.trim()}>
      {actions.map((action, index) => (
        <ActionLink key={action.label} action={action} variant={index === 0 && !quiet ? 'primary' : 'secondary'} />
      ))}
    </p>
  );
}

export interface ActionLinkProps {
  readonly action: Action;
  readonly variant?: keyof typeof button;
  readonly className?: string;
}

/** A link that looks like a button. */
export function ActionLink({ action, variant = 'primary', className = '' }: ActionLinkProps) {
  const classes = `${button[variant]} ${className}`.trim();
  const service = use(PageService);
  const href = action.href === '/contact?service' ? formFor(service) : action.href;
  return (
    <a
      className={classes}
      href={href}
      aria-haspopup={href === `#${dialogForm}` ? 'dialog' : undefined}
      {...(action.newTab ? { target: '_blank', rel: 'noopener' } : {})}
    >
      {action.label}
      {action.about && <span className="sr-only">{` ${wording.frame.about} ${action.about}`}</span>}
      {href.startsWith('/') && <Icon name="arrow-right" className="eased" />}
    </a>
  );
}
