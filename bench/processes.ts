import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { RedisServer } from '../form-service/test/redis-server.ts';
import { ServiceProcess } from '../form-service/test/service-process.ts';
import { requirePrograms } from '../scripts/stack/programs.ts';
import { makeTemporaryFolder } from '../test-support/temporary-folder.ts';

/** Environment variables of the form service's processes. */
export type Environment = Readonly<Record<string, string>>;

/** Starts Redis with its log on disk and an empty database, and passes their settings to `action`. */
export async function withBackends<Value>(action: (env: Environment) => Promise<Value>): Promise<Value> {
  await requirePrograms(true);
  const folder = makeTemporaryFolder();
  const redis = await RedisServer.start('--dir', folder, '--appendonly', 'yes');
  const env = {
    NODE_ENV: 'production',
    SALES_INBOX: 'sales@firm.test',
    HR_INBOX: 'hr@firm.test',
    MAIL_FROM: 'website@firm.test',
    REDIS_URL: redis.url,
    DATABASE_URL: `file:${folder}/submissions.db`,
    RATE_LIMIT_PER_MINUTE: '1000000000',
  };
  try {
    return await action(env);
  } finally {
    await redis.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type WithProcess = <Value>(env: Environment, action: (url: string) => Promise<Value>) => Promise<Value>;

/** Runs a program that prints its address as the service does, while `action` runs. */
const running =
  (program: string): WithProcess =>
  async (env, action) => {
    const service = await ServiceProcess.start(program, env);
    try {
      return await action(service.url ?? '');
    } finally {
      await service.end('SIGTERM');
    }
  };

export const withApi = running('api');
export const withWorker = running('worker');
export const withBareExpress = running(resolve('bench/bare-express.mjs'));
