/** @jest-environment jsdom */
import { beforeEach, expect, test } from '@jest/globals';
import { chooseService } from './chosen-service.ts';

const chosenAt = (address: string) => {
  history.replaceState({}, '', address);
  chooseService();
  return document.querySelector('select')?.value;
};

beforeEach(() => {
  document.body.innerHTML =
    '<select name="service"><option value="">Select a service</option><option>Web Development</option><option>SAP Consulting &amp; ABAP</option></select>';
});

test('the service that the address names is chosen', () => {
  expect(chosenAt('/contact?service=SAP%20Consulting%20%26%20ABAP#contact-form-section')).toBe('SAP Consulting & ABAP');
});

test('nothing is chosen where the address names no service, or one that there is not', () => {
  expect(chosenAt('/contact')).toBe('');
  expect(chosenAt('/contact?service')).toBe('');
  expect(chosenAt('/contact?service=Kites')).toBe('');
});

test('what the visitor has chosen stays', () => {
  document.querySelector('select')?.querySelectorAll('option')[1]?.toggleAttribute('selected', true);
  expect(chosenAt('/contact?service=SAP%20Consulting%20%26%20ABAP')).toBe('Web Development');
});
