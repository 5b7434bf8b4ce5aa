import { describe, expect, test } from '@jest/globals';
import { one, pageAt, textOf } from './built-site.ts';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** A form's fields as a visitor meets them: label, name, and what kind of control it is. The field for bots is hidden from people. */
function fieldsOf(form: HTMLFormElement) {
  const controls = [
    ...form.querySelectorAll<Control>(':is(input:not([type=hidden]), select, textarea):not([aria-hidden=true] *)'),
  ];
  return controls.map((control) => ({
    label: textOf(form.querySelector(`label[for="${control.id}"]`)),
    name: control.name,
    type: control.type,
    required: control.getAttribute('aria-required') === 'true',
  }));
}

describe('the contact form (2.6)', () => {
  const page = pageAt('/contact');
  const form = one<HTMLFormElement>(page, 'main form');

  test('stands in the section the hero’s button leads to', () => {
    expect(form.closest('#contact-form-section')).not.toBeNull();
  });

  test('has its five fields in order, each with its mark', () => {
    expect(fieldsOf(form)).toEqual([
      { label: 'Name *', name: 'name', type: 'text', required: true },
      { label: 'Email *', name: 'email', type: 'email', required: true },
      { label: 'Phone (Optional)', name: 'phone', type: 'tel', required: false },
      { label: 'Service *', name: 'service', type: 'select-one', required: true },
      { label: 'Message *', name: 'message', type: 'textarea', required: true },
    ]);
  });

  test('offers the eight services in their order, after an empty choice', () => {
    const [none, ...services] = [...one<HTMLSelectElement>(form, 'select').options];
    expect(none?.value).toBe('');
    expect(services.map(({ value }) => value)).toEqual([
      'Staff Augmentation',
      'Dedicated Teams',
      'Software Outsourcing',
      'Custom Software Development',
      'Mobile App Development',
      'Web Development',
      'SAP Consulting & ABAP',
      'Microsoft Dynamics CRM',
    ]);
  });

  test('has a message box of 6 rows', () => {
    expect(one<HTMLTextAreaElement>(form, 'textarea').rows).toBe(6);
  });

  test('posts without a script', () => {
    expect(form.method).toBe('post');
    expect(form.getAttribute('action')).toBe('/api/contact');
    expect(one<HTMLButtonElement>(form, '[type=submit]').disabled).toBe(false);
  });
});

describe('the application form (2.7)', () => {
  const page = pageAt('/careers');
  const dialog = one(page, 'dialog');
  const form = one<HTMLFormElement>(dialog, 'form');

  test('is one dialog under the heading, with a close and a Cancel button', () => {
    expect(textOf(dialog.querySelector('h2'))).toBe('Submit Your Application');
    expect(dialog.querySelector('button[aria-label="Close"]')).not.toBeNull();
    expect([...form.querySelectorAll('button')].map(textOf)).toEqual(['Submit Application', 'Cancel']);
  });

  test('is what every button of the page that applies leads to', () => {
    const openers = [...page.querySelectorAll(`main a[href="#${dialog.id}"]`)].map(textOf);
    expect(openers).toEqual(['Submit Resume', 'Apply for this Position', 'Send Your Resume', 'Send Your Resume']);
  });

  test('has its seven fields in order, each with its mark', () => {
    expect(fieldsOf(form)).toEqual([
      { label: 'Full Name *', name: 'fullName', type: 'text', required: true },
      { label: 'Email Address *', name: 'email', type: 'email', required: true },
      { label: 'Phone Number', name: 'phone', type: 'tel', required: false },
      { label: 'Position of Interest', name: 'position', type: 'text', required: false },
      { label: 'Years of Experience', name: 'experience', type: 'text', required: false },
      { label: 'Resume/CV *', name: 'resume', type: 'file', required: true },
      { label: 'Cover Letter / Message', name: 'coverLetter', type: 'textarea', required: false },
    ]);
  });

  test('says what may be uploaded, and the picker offers just that', () => {
    const file = one<HTMLInputElement>(form, 'input[type=file]');
    expect(file.accept).toBe('.pdf,.doc,.docx');
    const hint = page.getElementById(file.getAttribute('aria-describedby') ?? '');
    expect(textOf(hint)).toBe('PDF, DOC, DOCX up to 10MB');
  });

  test('has a cover letter box of 4 rows', () => {
    expect(one<HTMLTextAreaElement>(form, 'textarea').rows).toBe(4);
  });

  test('posts without a script, the file included', () => {
    expect(form.method).toBe('post');
    expect(form.getAttribute('action')).toBe('/api/resume');
    expect(form.enctype).toBe('multipart/form-data');
    expect(one<HTMLButtonElement>(form, '[type=submit]').disabled).toBe(false);
  });
});
