import { connect, type Socket } from 'node:net';
import type SMTPPool from 'nodemailer/lib/smtp-pool/index.js';

type Done = (error: null, opened: { readonly connection: Socket } | false) => void;

/** How long this tries before the pool's own attempt follows, in milliseconds. */
const CONNECT_TIMEOUT_MS = 2_500;

/** Ports of a server that is not asked for another (RFC 8314, 7.3; RFC 6409, 3.1). */
const IMPLICIT_TLS_PORT = 465;
const SUBMISSION_PORT = 587;

/**
 * Opens the pool's connections to the mail server, TLS being the pool's own business. Nagle's algorithm is off, which the
 * pool has no option for: it would hold the last lines of each message back until what went before is acknowledged,
 * 40 ms on most systems.
 *
 * Never fails: the pool then tries for itself, and it is its own error that is told. An error from here would take a place
 * in the pool for good.
 */
export function openSmtpSocket({ host = 'localhost', port, secure }: SMTPPool.Options, done: Done): void {
  const socket = connect({
    host,
    port: Number(port) || (secure ? IMPLICIT_TLS_PORT : SUBMISSION_PORT),
    noDelay: true,
    keepAlive: true,
  });
  const giveUp = () => {
    clearTimeout(timer);
    done(null, false);
  };
  const timer = setTimeout(() => socket.destroy(new Error('no connection in time')), CONNECT_TIMEOUT_MS);
  socket.once('error', giveUp);
  socket.once('connect', () => {
    clearTimeout(timer);
    socket.off('error', giveUp);
    done(null, { connection: socket });
  });
}
