import { Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { Database } from '../database/database.ts';
import { lastBackupAt } from '../database/last-backup.ts';

/** Tells Prometheus when the latest backup was made. It is read when Prometheus asks: the command that makes one is another process. */
@Injectable()
export class BackupMetric {
  constructor(database: Database, registry: Registry) {
    const metric = new Gauge({
      name: 'kitewright_backup_last_success_timestamp_seconds',
      help: 'When the latest backup was made; absent before the first one',
      registers: [registry],
      collect: async () => {
        const at = await lastBackupAt(database).catch(() => undefined);
        if (at === undefined) metric.remove();
        else metric.set(at.getTime() / 1_000);
      },
    });
  }
}
