import type { Action } from '../../content/schema.ts';
import { Icon } from './icon.tsx';

/** Anchor of the application form, which a link reaches also where no script runs. */
export const APPLICATION_ANCHOR = 'application';

/** Things to press, the first one the main one. */
export const Actions = ({ actions }: { actions: readonly Action[] }) => (
  <p className="actions">
    {actions.map((action, index) => (
      <ActionLink key={action.label} action={action} main={index === 0} />
    ))}
  </p>
);

/** One thing to press, drawn as a button. */
export function ActionLink({ action, main = true }: { action: Action; main?: boolean }) {
  const className = main ? 'button' : 'button button--quiet';
  if ('opens' in action) {
    return (
      <a className={className} href={`#${APPLICATION_ANCHOR}`} aria-haspopup="dialog">
        {action.label}
      </a>
    );
  }
  return (
    <a className={className} href={action.href} {...(action.newTab ? { target: '_blank', rel: 'noopener' } : {})}>
      {action.label}
      {action.about && <span className="visually-hidden">{` about ${action.about}`}</span>}
      {action.href.startsWith('/') && <Icon name="arrow-right" />}
    </a>
  );
}
