import { HONEYPOT } from 'form-service/contract/protocol';

/** The field that only programs fill: out of sight, of the tab order and of the accessibility tree. */
export function Honeypot() {
  const { name, label } = HONEYPOT;
  return (
    <div className="sr-only" aria-hidden="true">
      <span suppressHydrationWarning>{label}</span>
      <input name={name} aria-label={label} tabIndex={-1} autoComplete="off" />
    </div>
  );
}

/** What a program put into the honeypot, as it is sent along: nothing for a person. */
export function honeypotValue(form: HTMLFormElement | null): Readonly<Record<string, string>> {
  const value = form ? new FormData(form).get(HONEYPOT.name) : null;
  return typeof value === 'string' && value !== '' ? { [HONEYPOT.name]: value } : {};
}
