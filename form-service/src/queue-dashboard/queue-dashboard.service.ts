import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { DeliveryQueue } from '../delivery/delivery.queue.ts';
import { operatorLogin } from './operator-login.ts';

const PATH = '/queues';

/** With this policy the page loads nothing from other hosts, such as a font that it asks for, and cannot be framed. */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

/**
 * The queue dashboard on the worker's port, behind `QUEUE_DASHBOARD_PASSWORD`. Without a password its code is not even
 * loaded.
 */
@Injectable()
export class QueueDashboardService implements OnModuleInit {
  constructor(
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'QUEUE_DASHBOARD_PASSWORD'>,
    private readonly queue: DeliveryQueue,
    private readonly http: HttpAdapterHost,
  ) {}

  async onModuleInit(): Promise<void> {
    const password = this.settings.QUEUE_DASHBOARD_PASSWORD;
    if (!password) return;
    const { boardOf } = await import('./board.ts');
    this.http.httpAdapter.use(PATH, readOnly, operatorLogin(password), boardOf(this.queue.queue, PATH));
  }
}

/** A browser sends the password with requests from other pages too, so no request may change anything. */
function readOnly(request: Request, response: Response, next: NextFunction): void {
  response.set(HEADERS);
  if (request.method === 'GET' || request.method === 'HEAD') return next();
  response.status(405).set('Allow', 'GET, HEAD').end();
}
