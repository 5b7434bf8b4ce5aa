/** @jest-environment jsdom */
import { describe, expect, test } from '@jest/globals';
import { iconNames } from '../src/content/icons.ts';
import { buildSprite } from './icon-sprite.ts';

const parse = (svg: string) => new DOMParser().parseFromString(svg, 'image/svg+xml');

describe('the sprite', () => {
  const sprite = buildSprite(iconNames);
  const symbols = [...parse(sprite).querySelectorAll('symbol')];

  test('is well-formed, with one symbol a name', () => {
    expect(parse(sprite).querySelector('parsererror')).toBeNull();
    expect(symbols.map(({ id }) => id)).toEqual([...iconNames]);
    expect(new Set(iconNames).size).toBe(iconNames.length);
  });

  test('has a drawing in every symbol, on Lucide’s square', () => {
    for (const symbol of symbols) {
      expect(symbol.getAttribute('viewBox')).toBe('0 0 24 24');
      expect(symbol.children.length).toBeGreaterThan(0);
    }
  });

  test('leaves colour and stroke to the page', () => {
    const attributes = [...parse(sprite).querySelectorAll('*')].flatMap((element) =>
      element.getAttributeNames().map((name) => `${name}=${element.getAttribute(name)}`),
    );
    expect(
      attributes.filter(
        (attribute) => /^(?:stroke|fill|class|style)/.test(attribute) && attribute !== 'fill=currentColor',
      ),
    ).toEqual([]);
  });
});

test('an icon the set does not have stops the build, and says which', () => {
  expect(() => buildSprite(['arrow-right', 'no-such-icon'])).toThrow('no-such-icon');
});
