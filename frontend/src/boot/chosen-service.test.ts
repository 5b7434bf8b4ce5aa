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

test('selects the service that the address names', () => {
  expect(chosenAt('/contact?service=SAP%20Consulting%20%26%20ABAP#contact-form-section')).toBe('SAP Consulting & ABAP');
});

test('selects nothing > when the address names no known service', () => {
  expect(chosenAt('/contact')).toBe('');
  expect(chosenAt('/contact?service')).toBe('');
  expect(chosenAt('/contact?service=Kites')).toBe('');
});

test('keeps the choice of the visitor', () => {
  document.querySelector('select')?.querySelectorAll('option')[1]?.toggleAttribute('selected', true);
  expect(chosenAt('/contact?service=SAP%20Consulting%20%26%20ABAP')).toBe('Web Development');
});
