import { messages } from 'form-service/contract/messages';
import { HONEYPOT } from 'form-service/contract/protocol';

/** Honeypot: a field that only programs fill in. It is invisible and not in the tab order or the accessibility tree. */
export function Honeypot() {
  return (
    <div className="sr-only" aria-hidden="true">
      <span suppressHydrationWarning>{messages.leaveEmpty}</span>
      <input name={HONEYPOT} aria-label={messages.leaveEmpty} tabIndex={-1} autoComplete="off" />
    </div>
  );
}

/** Returns the value of the honeypot as it is sent, or nothing if it is empty. */
export function honeypotValue(form: HTMLFormElement | null): Readonly<Record<string, string>> {
  const value = form ? new FormData(form).get(HONEYPOT) : null;
  return typeof value === 'string' && value !== '' ? { [HONEYPOT]: value } : {};
}
