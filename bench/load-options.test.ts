import { describe, expect, it } from '@jest/globals';
import { readOptions } from './load-options.ts';

const read = (line: string, SITE_URL = 'https://www.own.example') =>
  readOptions(line.split(' ').filter(Boolean), { SITE_URL });

describe('options of the load', () => {
  it('select one page and no enquiries > only an address is given', () => {
    const options = read('--url http://127.0.0.1:8080/about');
    expect({ ...options, url: options.url.href }).toEqual({
      url: 'http://127.0.0.1:8080/about',
      perSecond: 10,
      requests: 100,
    });
  });

  it('select the form of the host, and an address of this load > --post', () => {
    const [one, other] = [1, 2].map(() => read('--url http://[::1]:8080/about --post'));
    expect(one?.url.href).toBe('http://[::1]:8080/api/contact');
    expect(one?.post?.email).toMatch(/^[\da-f-]{36}@load-test\.invalid$/);
    expect(other?.post?.email).not.toBe(one?.post?.email);
    expect(one?.post?.command).toEqual(['docker', 'compose', 'exec', '-T', 'worker', 'submissions']);
  });

  it.each([
    'http://localhost:1',
    'http://127.0.0.1',
    'http://127.1.2.3/',
    'http://[::1]/',
    'https://www.own.example/x',
  ])('accept: %s', (url) => {
    expect(read(`--url ${url}`).url.href).toContain(new URL(url).hostname);
  });

  it.each([
    'https://own.example',
    'https://www.own.example.org',
    'http://localhost.example.org',
    'http://127.0.0.1.example.org',
    'http://10.0.0.1',
    'https://www.own.example@elsewhere.example.org',
  ])('refuse the host %s without --yes-this-is-mine', (url) => {
    expect(() => read(`--url ${url}`)).toThrow(/no load|needs an address/);
    if (!url.includes('@')) expect(read(`--url ${url} --yes-this-is-mine`).url.href).toContain(url);
  });

  it('refuse other hosts > SITE_URL is not set', () => {
    expect(() => readOptions(['--url', 'https://www.own.example'], {})).toThrow(/no load/);
  });

  it.each([
    ['', '--url needs an address'],
    ['--url ftp://127.0.0.1', '--url needs an address'],
    ['--url http://127.0.0.1 --rate 501', '--rate needs a whole number from 1 to 500'],
    ['--url http://127.0.0.1 --rate 0.5', '--rate needs'],
    ['--url http://127.0.0.1 --seconds 61', '--seconds needs a whole number from 1 to 60'],
    ['--url http://127.0.0.1 --rate 500 --seconds 60', 'at most 10000'],
    ['--url http://127.0.0.1 --post --rate 51', '--rate needs a whole number from 1 to 50'],
    ['--url http://127.0.0.1 --post --rate 50 --seconds 21', 'at most 1000'],
    ['--url http://127.0.0.1 --pst', "'--pst'"],
  ])('refuse %s', (line, message) => {
    expect(() => read(line)).toThrow(message);
  });
});
