import { formsOf, isMailbox, type InboxUser } from '../settings/inbox-users.ts';
import { FORM_KINDS, type FormKind } from '../contract/forms.ts';
import {
  allRecipients,
  inboxOf,
  mailboxesOf,
  ownInboxOf,
  topicsWithMailbox,
  type RecipientSettings,
} from './recipients.ts';

/** Submissions that a user may see: those of some forms, and those that go to some mailboxes. */
export interface Scope {
  /** Forms of which everything is visible. */
  readonly forms: readonly FormKind[];
  /** Mailboxes to which staff have handed over what is visible. */
  readonly mailboxes?: readonly string[];
  /** Submissions that are visible unless staff have handed them over to one of the {@link recipients}. */
  readonly routes?: readonly Route[];
  readonly recipients?: readonly string[];
}

/** Submissions of a form: of one topic, or of all but some topics. Topics are keys. */
export interface Route {
  readonly form: FormKind;
  readonly topic?: string;
  readonly except?: readonly string[];
}

/**
 * Returns which submissions a user may see: those of the role's forms, and those handed over to a mailbox of these. The
 * inbox of a form is that of its role. Another mailbox of both forms opens nothing, because a submission gets there without
 * leaving its department. A role that is a mailbox has exactly what goes there.
 */
export function scopeOf({ role }: Pick<InboxUser, 'role'>, settings: RecipientSettings): Scope {
  if (isMailbox(role)) return scopeOfMailbox(role, settings);
  const forms = formsOf(role);
  const others = FORM_KINDS.filter((form) => !forms.includes(form));
  const mailboxes = (of: readonly FormKind[]) => of.flatMap((form) => mailboxesOf(form, settings));
  const inboxes = (of: readonly FormKind[]) => of.map((form) => ownInboxOf(form, settings));
  const isOwn = (one: string) =>
    inboxes(forms).includes(one) ? !inboxes(others).includes(one) : !mailboxes(others).includes(one);
  return { forms, mailboxes: [...new Set(mailboxes(forms))].filter(isOwn) };
}

/** Returns what goes to a mailbox, as `recipientOf` decides it. */
function scopeOfMailbox(mailbox: string, settings: RecipientSettings): Scope {
  const routes = FORM_KINDS.flatMap((form): readonly Route[] => {
    const topics = topicsWithMailbox(form, settings);
    const except = topics.filter((one) => one.mailbox !== mailbox).map(({ topic }) => topic);
    if (inboxOf(form, settings) === mailbox) return [{ form, except }];
    return topics.filter((one) => one.mailbox === mailbox).map(({ topic }) => ({ form, topic }));
  });
  return { forms: [], mailboxes: [mailbox], routes, recipients: allRecipients(settings) };
}

/** Returns the forms of a scope, also those of which it has a part. */
export const formsIn = ({ forms, routes = [] }: Scope): readonly FormKind[] =>
  FORM_KINDS.filter((kind) => forms.includes(kind) || routes.some(({ form }) => form === kind));
