import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { makeTemporaryFolder } from '../../../test-support/temporary-folder.ts';
import { anyCharacter } from '../../test/any-character.ts';
import { words } from '../../test/words.ts';
import { readTemplate } from './template.ts';

const folder = makeTemporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string): URL {
  writeFileSync(join(folder, name), content);
  return pathToFileURL(join(folder, name));
}

const html = (content: string) => readTemplate(file('page.html', content));
const text = (content: string) => readTemplate(file('page.txt', content));

/** Decodes escaped source as a browser does. */
const read = (source: string) =>
  source.replaceAll('<br>', '\n').replace(/&#(\d+);/g, (_entity, code: string) => String.fromCodePoint(Number(code)));

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.constantFrom('"><script>', '{{name}}', '$&$1', '&#60;', '</textarea>', "' onload='", '\n\n', '\r\n'),
);

describe('readTemplate', () => {
  it('keeps any value and adds no markup > in text, attribute and textarea', () => {
    const fill = html('<p title="{{name}}" id="a">{{name}}</p><textarea>\n{{name}}</textarea>');
    const shape = /^<p title="([^"<>]*)" id="a">((?:[^<>]|<br>)*)<\/p><textarea>\n([^<>]*)<\/textarea>$/;
    fc.assert(
      fc.property(anyText, (name) => {
        const [, ...places] = shape.exec(fill({ name })) ?? [];
        // A browser shows each kind of line break in an element once.
        expect(places.map(read)).toEqual([name, name.replace(/\r\n?/g, '\n'), name]);
      }),
    );
  });

  it('keeps any value > text template', () => {
    const fill = text('Name: {{name}}\n');
    fc.assert(fc.property(anyText, (name) => expect(fill({ name })).toBe(`Name: ${name}\n`)));
  });

  it('rejects URLs that run a script', () => {
    const fill = html('<a href="{{url}}">x</a>');
    for (const url of ['https://a.example/?a=1&b="', 'mailto:a@b.example', 'tel:+1', '/page', '#place'])
      expect(read(fill({ url }))).toBe(`<a href="${url}">x</a>`);
    for (const url of ['javascript:alert(1)', 'JAVASCRIPT:x', ' https://a.example', '//a.example', 'data:text/html,x'])
      expect(() => fill({ url })).toThrow('A link must be');
    expect(html('<a href="#{{name}}">x</a>')({ name: 'a"b c' })).toBe('<a href="#a%22b%20c">x</a>');
  });

  it.each([
    ['a style sheet', '<style>.{{name}}{}</style>'],
    ['a script', '<script>{{name}}</script>'],
    ['a comment', '<p><!--[if mso]>{{name}}<![endif]--></p>'],
    ['a tag', '<p {{name}}>'],
    ['a value without quotes', '<p title={{name}}>'],
    ['a style', '<p style="color:{{name}}">'],
    ['a handler', '<p onclick="{{name}}">'],
  ])('rejects a slot in %s, where no value is safe', (_place, content) => {
    expect(() => html(content)({ name: '' })).toThrow('A slot is not allowed in');
  });

  it('repeats a section for each item, and omits it for a missing or empty value', () => {
    const fill = text(
      '{{#list}}\n- {{.}}\n{{/list}}\n{{#one}}{{one}} {{other}}{{/one}}{{#rows}}[{{label}}{{other}}]{{/rows}}',
    );
    const rows = [{ label: 'a' }, { label: 'b', other: '!' }];
    expect(fill({ list: ['x', 'y'], one: 'one', other: '?', rows })).toBe('- x\n- y\none ?[a?][b!]');
    for (const nothing of [undefined, null, false, ''])
      expect(fill({ list: [], one: nothing, other: '', rows: [] })).toBe('');
  });

  it('puts the template into the frame and removes comments', () => {
    const frame = file('frame.html', '<!-- For\neditors -->\n<body>\n{{content}}\n</body>\n');
    const page = file('page.html', '<!-- Mine -->\n<p>{{name}}</p>\n');
    expect(readTemplate(page, frame)({ name: 'Ada' })).toBe('<body>\n<p>Ada</p>\n</body>\n');
  });

  it('throws for an unknown slot or an unbalanced section', () => {
    expect(() => text('{{nmae}}')({ name: 'Ada' })).toThrow('no value for the slot nmae');
    expect(() => text('{{#list}}{{.}}')({})).toThrow('section list has no matching tag');
    expect(() => text('{{/list}}')({})).toThrow('section /list has no matching tag');
  });
});

describe('a text of wording.yaml', () => {
  it('has slots in its places, and markup around them', () => {
    const fill = html('<p>{{wording.inbox.list.taken}}{{@name}}<b>{{holder}}</b>{{/@name}}</p>');
    expect(fill({ holder: '<Ada>' })).toBe(`<p>${words.inbox.list.taken({ name: '<b>&#60;Ada&#62;</b>' })}</p>`);
    expect(html('{{wording.inbox.list.taken}}')({ name: 'Ada' })).toBe(words.inbox.list.taken({ name: 'Ada' }));
  });

  it('is escaped > within an attribute', () => {
    const shown = html('<p title="{{wording.inbox.errors.doneOrSpam}}">')({});
    expect(read(shown)).toBe(`<p title="${words.inbox.errors.doneOrSpam}">`);
    expect(shown.split('"')).toHaveLength(3);
  });

  it('has lines of at most 72 characters > in a mail of text', () => {
    const shown = text('{{wording.mails.acknowledgement.notYou}}')({});
    expect(shown.replaceAll('\n', ' ')).toBe(words.mails.acknowledgement.notYou);
    expect(Math.max(...shown.split('\n').map((line) => line.length))).toBeLessThanOrEqual(72);
  });

  it('is named > the file has no such key', () => {
    expect(() => html('{{wording.inbox.list.serach}}')({})).toThrow('inbox.list.serach is missing');
  });
});
