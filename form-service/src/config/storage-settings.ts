import { hostname } from 'node:os';
import { string, type StringSchema } from 'yup';
import { url } from './formats.ts';

const KEYS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const;

/** Half a pair would send the SDK looking for keys elsewhere. */
const withTheOther = (schema: StringSchema) =>
  schema.test('complete', `must be set, as the other of ${KEYS.join(', ')} is`, (value, { parent }) => value !== undefined || KEYS.every((name) => parent[name] === undefined));

/** Variables of the store. Those of object storage bear the names that the AWS SDK gives them. */
export const storageSettings = {
  /** `file:` and a folder, a relative one from the working directory on; or `s3://bucket/prefix`, with `?path-style` where needed. */
  STORAGE_URL: url('file:', 's3://').default('file:.data/submissions'),
  /** Name of this machine or container; two that run at once have different names. */
  INSTANCE: string()
    .matches(/^[A-Za-z0-9_.-]{1,100}$/, 'must be 1 to 100 letters, digits, dots, dashes or underscores')
    .default(() => hostname()),
  /** Object storage only: where uploads wait on this machine until they are in the bucket, with room for 640 MiB; unset: the system's temporary folder. */
  UPLOAD_DIR: string(),
  AWS_REGION: string(),
  /** A server other than Amazon's. */
  AWS_ENDPOINT_URL_S3: url('https://', 'http://'),
  /** Without keys: what the SDK finds, such as the role of the machine. */
  AWS_ACCESS_KEY_ID: withTheOther(string()),
  AWS_SECRET_ACCESS_KEY: withTheOther(string()),
  AWS_SESSION_TOKEN: string(),
};
