import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe } from '@jest/globals';
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
});
