import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { StorageSettings } from '../src/settings/settings.ts';
import { endingWithParent } from '../../scripts/stack/end-with-parent.ts';
import { freePort } from './free-port.ts';
import { sharedServer } from './shared-servers.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { until } from './until.ts';

const ACCESS_KEY = 'kitewright';
const SECRET_KEY = 'a secret of the tests';

/** Returns why no gateway can be started here, or undefined. */
export function objectGatewayMissing(): string | undefined {
  const missing = ['ceph-mon', 'ceph-osd', 'radosgw'].filter((program) => spawnSync(program, ['--version']).error);
  return missing.length > 0
    ? `not installed: ${missing.join(', ')} (Debian: apt-get install radosgw ceph-mon ceph-osd)`
    : undefined;
}

/**
 * The S3 gateway of a minimal Ceph cluster: one monitor, one object store in memory, and the gateway. Conditional writes
 * are atomic in the object store, not in the gateway.
 */
export class ObjectGateway {
  private readonly processes: ChildProcess[] = [];
  private readonly folder: Awaited<ReturnType<typeof temporaryFolder>>;
  readonly port: number;
  /** Bucket of this instance. */
  readonly bucket = `submissions-${randomUUID()}`;

  private constructor(folder: Awaited<ReturnType<typeof temporaryFolder>>, port: number) {
    this.folder = folder;
    this.port = port;
  }

  /** Returns the gateway of this run, with a new bucket. */
  static async shared(): Promise<ObjectGateway> {
    const { port } = await sharedServer('object-gateway', async (path) => {
      const first = new ObjectGateway({ path, remove: async () => {} }, await freePort());
      await first.bringUp();
      for (const process of first.processes) process.unref();
      return { port: first.port, pids: first.processes.map(({ pid = 0 }) => pid) };
    });
    const gateway = new ObjectGateway(await temporaryFolder(), port);
    const client = gateway.client();
    await client.send(new CreateBucketCommand({ Bucket: gateway.bucket }));
    client.destroy();
    return gateway;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Returns settings for a store under this prefix. */
  settings(prefix: string): Omit<StorageSettings, 'DATABASE_URL'> {
    return {
      RESUMES_URL: `s3://${this.bucket}/${prefix}?path-style`,
      AWS_ENDPOINT_URL_S3: this.endpoint,
      AWS_ACCESS_KEY_ID: ACCESS_KEY,
      AWS_SECRET_ACCESS_KEY: SECRET_KEY,
    };
  }

  /** Creates a client to inspect the bucket. */
  client(endpoint = this.endpoint): S3Client {
    const credentials = { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY };
    return new S3Client({
      endpoint,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  }

  /** Removes the upload folder. The gateway continues for other tests. */
  async close(): Promise<void> {
    await this.folder.remove();
  }

  private async bringUp(): Promise<void> {
    const [fsid, osd, monitorPort] = [randomUUID(), randomUUID(), await freePort()];
    const path = (name: string) => join(this.folder.path, name);
    await writeFile(
      path('ceph.conf'),
      configuration({ fsid, monitorPort, gatewayPort: this.port, folder: this.folder.path }),
    );
    await Promise.all(['mon', 'osd', 'run'].map((name) => mkdir(path(name))));
    const config = ['-c', path('ceph.conf')];
    run('monmaptool', '--create', '--fsid', fsid, '--addv', 'a', `[v2:127.0.0.1:${monitorPort}]`, path('monmap'));
    run('ceph-mon', '--mkfs', '-i', 'a', '--monmap', path('monmap'), ...config);
    this.spawn('ceph-mon', '-f', '-i', 'a', ...config);
    run('ceph', ...config, 'osd', 'new', osd);
    run('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', osd, ...config);
    this.spawn('ceph-osd', '-f', '-i', '0', ...config);
    run(
      'radosgw-admin',
      ...config,
      'user',
      'create',
      '--uid=tests',
      '--display-name=tests',
      `--access-key=${ACCESS_KEY}`,
      `--secret=${SECRET_KEY}`,
    );
    this.spawn('radosgw', '-f', '-n', 'client.admin', ...config);
    await until('the object gateway', async () => (await fetch(this.endpoint).catch(() => undefined))?.ok, 60_000);
  }

  private spawn(program: string, ...args: string[]): void {
    this.processes.push(spawn(...endingWithParent('SIGKILL', program, args), { stdio: 'ignore' }));
  }
}

function run(program: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8', timeout: 60_000 });
  if (status !== 0) throw new Error(`${program}: ${error?.message ?? stderr}`);
}

interface Cluster {
  readonly fsid: string;
  readonly monitorPort: number;
  readonly gatewayPort: number;
  readonly folder: string;
}

/** Configuration without internal authentication, replicas and the delays for large clusters. */
function configuration({ fsid, monitorPort, gatewayPort, folder }: Cluster): string {
  return `[global]
fsid = ${fsid}
mon host = v2:127.0.0.1:${monitorPort}
public addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
ms bind msgr1 = false
ms mon client mode = crc
ms client mode = crc
ms mon cluster mode = crc
ms mon service mode = crc
ms cluster mode = crc
ms service mode = crc
run dir = ${folder}/run
admin socket = ${folder}/run/$name.$pid.asok
log file = ${folder}/$name.log
mon data = ${folder}/mon
mon data avail crit = 1
mon allow pool size one = true
paxos propose interval = 0.05
osd data = ${folder}/osd
osd objectstore = memstore
osd class load list = *
osd class default list = *
osd crush chooseleaf type = 0
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
[client.admin]
rgw frontends = beast endpoint=127.0.0.1:${gatewayPort}
`;
}
