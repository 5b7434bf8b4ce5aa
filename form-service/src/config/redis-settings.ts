import { readFileSync } from 'node:fs';
import { string, type InferType, type ObjectSchema, type StringSchema } from 'yup';
import { url } from './formats.ts';

const NODES = /^[^\s,:/@]+:\d{1,5}(?:,[^\s,:/@]+:\d{1,5})*$/;

const nodes = () => string().matches(NODES, 'must be host:port, or several of them separated by commas');

const notBoth = (schema: StringSchema, other: string) => schema.test('one kind', `must not be set where ${other} is`, (value, { parent }) => value === undefined || parent[other] === undefined);

/** Variables that say where Redis is: one server, one that Sentinel watches, or a cluster. */
export const redisSettings = {
  /** One server. With Sentinel or a cluster its host counts for nothing, and scheme, user, password and database for all. */
  REDIS_URL: url('redis://', 'rediss://').default('redis://127.0.0.1:6379'),
  /** The Sentinels that know the server. */
  REDIS_SENTINELS: notBoth(nodes(), 'REDIS_CLUSTER_NODES'),
  /** What they call it. */
  REDIS_SENTINEL_NAME: string().default('mymaster'),
  /** Their own password, where they have one. */
  REDIS_SENTINEL_PASSWORD: string(),
  /** Some nodes of a cluster; the others are found. */
  REDIS_CLUSTER_NODES: nodes(),
  /** File with the certificate in PEM that signed the servers'; unset: those that Node.js trusts. */
  REDIS_CA_FILE: string().test('readable', 'names a file that cannot be read', (path) => path === undefined || isReadable(path)),
};

type Inferred = InferType<ObjectSchema<{ [Name in keyof typeof redisSettings]: InferType<(typeof redisSettings)[Name]> }>>;

/** Where Redis is. Only `REDIS_URL` is needed for one server. */
export type RedisSettings = Pick<Inferred, 'REDIS_URL'> & Partial<Inferred>;

function isReadable(path: string): boolean {
  try {
    return readFileSync(path).length > 0;
  } catch {
    return false;
  }
}
