import { execa } from 'execa';
import { BUILT_WITH, root, VERSION } from './deployment.ts';

/** Builds the images with a tag that only the tests use. Returns a function that removes them. */
export default async function buildImages(): Promise<() => Promise<void>> {
  const env = { ...BUILT_WITH, VERSION, COMPOSE_FILE: 'docker-compose.yml', COMPOSE_ENV_FILES: '/dev/null' };
  await execa('docker', ['compose', '--progress', 'plain', 'build', 'site', 'nginx', 'api'], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return async () => {
    const images = ['web', 'nginx', 'form-service'].map((name) => `localhost/kitewright/${name}:${VERSION}`);
    await execa('docker', ['image', 'rm', '--force', ...images], { reject: false });
  };
}
