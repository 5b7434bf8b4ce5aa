import { expect, test } from '@jest/globals';
import { readBrand } from '../../frontend/builder/brand.ts';
import { lowContrasts } from '../../frontend/builder/content/brand-mistakes.ts';
import { parse } from 'yaml';
import { brandValues } from './brand-values.ts';
import { setYamlValues } from './yaml-values.ts';

test.each(['#fc0', '#0a7d5a', '#ffffff', '#000000'])('makes %s readable in both themes', (colour) => {
  const source = JSON.stringify(readBrand());
  const brand = parse(setYamlValues(source, brandValues(readBrand(), colour)), { schema: 'failsafe' });
  expect([...lowContrasts(brand)]).toEqual([]);
});
