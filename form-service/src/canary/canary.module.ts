import { Module } from '@nestjs/common';
import { CanaryMetrics } from './canary.metrics.ts';
import { CanaryService } from './canary.service.ts';

/** The canary, our own test enquiry; off unless `CANARY_INTERVAL_MINUTES` is set. */
@Module({ providers: [CanaryMetrics, CanaryService], exports: [CanaryService] })
export class CanaryModule {}
