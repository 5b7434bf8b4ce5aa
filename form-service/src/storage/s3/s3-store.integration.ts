import { PutObjectCommand } from '@aws-sdk/client-s3';
import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectGateway, objectGatewayMissing } from '../../../test/object-gateway.ts';
import { keepsTheContract } from '../../../test/store-contract.ts';
import { Holder } from '../holder.ts';
import { S3Store } from './s3-store.ts';

Logger.overrideLogger(false);

const missing = objectGatewayMissing();

(missing ? describe.skip : describe)('S3Store', () => {
  let gateway: ObjectGateway;
  let tests = 0;
  const opened: S3Store[] = [];
  const open = (holder = new Holder('here')) => {
    const store = S3Store.open({ ...gateway.settings(`test-${tests}`), INSTANCE: 'here' }, holder);
    opened.push(store);
    return Promise.resolve(store);
  };
  beforeAll(async () => {
    gateway = await ObjectGateway.start();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()));
    tests++;
  });
  afterAll(() => gateway.stop());

  keepsTheContract(open);

  it('stands on a server that lets one of many conditional writes win', async () => {
    const client = gateway.client();
    const put = (Key: string, Body: string, condition: object) =>
      client.send(new PutObjectCommand({ Bucket: 'submissions', Key, Body, ...condition })).then(
        ({ ETag }) => ETag,
        () => undefined,
      );
    const race = async (Key: string, condition: object) => (await Promise.all(Array.from({ length: 50 }, (_, index) => put(Key, `${Key} ${index} ${JSON.stringify(condition)}`, condition)))).filter((etag) => etag !== undefined);
    for (let round = 0; round < 3; round++) {
      const created = await race(`race-${round}`, { IfNoneMatch: '*' });
      expect(created).toHaveLength(1);
      expect(await race(`race-${round}`, { IfMatch: created[0]?.replaceAll('"', '') })).toHaveLength(1);
    }
    client.destroy();
  });
});
