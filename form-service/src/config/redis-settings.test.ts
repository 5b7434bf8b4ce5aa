import { describe, expect, it } from '@jest/globals';
import { readSettings, SettingsError } from './env.ts';

describe('settings of Redis', () => {
  it('need an address only', () => {
    expect(readSettings({})).toMatchObject({ REDIS_URL: 'redis://127.0.0.1:6379' });
    expect(readSettings({}).REDIS_CLUSTER_NODES).toBeUndefined();
  });

  it.each([
    [{ REDIS_SENTINELS: 'a:26379,b' }, 'REDIS_SENTINELS must be host:port'],
    [{ REDIS_CLUSTER_NODES: 'redis://a:6379' }, 'REDIS_CLUSTER_NODES must be host:port'],
    [{ REDIS_SENTINELS: 'a:1', REDIS_CLUSTER_NODES: 'b:2' }, 'REDIS_SENTINELS must not be set where REDIS_CLUSTER_NODES is'],
    [{ REDIS_CA_FILE: '/no/such/file' }, 'REDIS_CA_FILE names a file that cannot be read'],
  ])('refuse %o', (environment, message) => {
    expect(() => readSettings(environment)).toThrow(SettingsError);
    expect(() => readSettings(environment)).toThrow(message);
  });
});

describe('settings of the store', () => {
  const keys = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };

  it('name a bucket, a server and keys', () => {
    const environment = { STORAGE_URL: 's3://bucket/prefix?path-style', AWS_ENDPOINT_URL_S3: 'https://s3.example', AWS_REGION: 'eu-1', ...keys };
    expect(readSettings(environment)).toMatchObject(environment);
  });

  it.each([
    [{ STORAGE_URL: 's3:///prefix' }, 'STORAGE_URL must be a URL that starts with file: or s3://'],
    [{ AWS_ACCESS_KEY_ID: 'key' }, 'AWS_SECRET_ACCESS_KEY must be set'],
    [{ AWS_ENDPOINT_URL_S3: 's3.example' }, 'AWS_ENDPOINT_URL_S3 must be a URL'],
  ])('refuse %o', (environment, message) => {
    expect(() => readSettings(environment)).toThrow(message);
  });
});
