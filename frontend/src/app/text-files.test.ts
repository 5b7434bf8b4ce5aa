import { expect, test } from '@jest/globals';
import { company, wording } from 'virtual:content';
import { securityPolicy } from './text-files.ts';

test('security policy > consists of the words of the content and the address', () => {
  const { title, write, ...sentences } = wording.security;
  const paragraphs = [title, '', `${write} ${company.securityEmail}.`, ...Object.values(sentences), ''];
  expect(securityPolicy().split('\n')).toEqual(paragraphs);
});
