import { expect, test } from '@jest/globals';
import { iconNames, iconShapes } from './icons.ts';

test('returns the shapes of every icon without colour and stroke', () => {
  expect(iconNames.length).toBeGreaterThan(1000);
  const drawn = /^(?:d|c?[xy][12]?|r[xy]?|width|height|points|(?:fill|clip)Rule)$|^fill=currentColor$/;
  for (const name of iconNames) {
    const shapes = iconShapes(name);
    expect(shapes.length).toBeGreaterThan(0);
    const attributes = shapes.flatMap(([, all]) =>
      Object.entries(all).map(([key, value]) => (key === 'fill' ? `${key}=${value}` : key)),
    );
    expect(attributes.filter((attribute) => !drawn.test(attribute))).toEqual([]);
  }
});

test('names an icon that the set lacks', () => {
  expect(() => iconShapes('no-such-icon')).toThrow('no-such-icon');
});
