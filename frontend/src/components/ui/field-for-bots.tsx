import { HONEYPOT } from 'form-service/contract/honeypot';

/** The field that only programs fill: out of sight, of the tab order and of the accessibility tree. */
export function FieldForBots() {
  const { name, label } = HONEYPOT;
  return (
    <div className="visually-hidden" aria-hidden="true">
      <span suppressHydrationWarning>{label}</span>
      <input name={name} aria-label={label} tabIndex={-1} autoComplete="off" />
    </div>
  );
}

/** What such a program put there, as it is sent along: nothing for a person. */
export function filledByBot(form: HTMLFormElement | null): Readonly<Record<string, string>> {
  const value = form ? new FormData(form).get(HONEYPOT.name) : null;
  return typeof value === 'string' && value !== '' ? { [HONEYPOT.name]: value } : {};
}
