import { expect, test } from '@playwright/test';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useDeployment, TRIAL } from './deployment.ts';

const at = useDeployment(() => ({ COMPOSE_FILE: `${TRIAL}:ipv6.yml`, RATE_LIMIT_PER_MINUTE: '5' }), false);

test.skip(!existsSync('/proc/net/if_inet6'), 'this machine has no IPv6');

test.beforeAll(async () => {
  const { deployment } = at;
  // Docker before 27 requires an explicit subnet for IPv6.
  writeFileSync(
    join(deployment.folder, 'ipv6.yml'),
    "networks: { edge: { enable_ipv6: true, ipam: { config: [{ subnet: 'fd4b:5749:5445::/64' }] } } }\n",
  );
  await deployment.up();
});

test('IPv6 > reaches pages and forms', async () => {
  const { deployment } = at;
  const [nginx = ''] = await deployment.containers('nginx');
  const inspect = `docker inspect -f '{{range .NetworkSettings.Networks}}{{.GlobalIPv6Address}}{{end}}' ${nginx}`;
  const address = await deployment.do(inspect);
  expect((await deployment.request(`http://[${address}]:8080/about`)).status).toBe(200);
  await deployment.enquiryArrives(`http://[${address}]:8080/api/contact`);
});
