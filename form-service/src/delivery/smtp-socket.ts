import { connect, type Socket } from 'node:net';
import type SMTPPool from 'nodemailer/lib/smtp-pool/index.js';

type Done = (error: null, opened: { readonly connection: Socket } | false) => void;

/** After this time the pool's own attempt to connect follows. */
const CONNECT_TIMEOUT_MS = 2_500;

/** The ports of a server whose URL names none (RFC 8314, 7.3; RFC 6409, 3.1). */
const IMPLICIT_TLS_PORT = 465;
const SUBMISSION_PORT = 587;

/**
 * Opens the TCP connections of nodemailer's pool, with Nagle's algorithm switched off, for which the pool has no
 * option: it would hold the last lines of each message back until the lines before are acknowledged, 40 ms on most
 * systems.
 *
 * This never reports an error, which would occupy a place in the pool for good: the pool then tries by itself and
 * reports its own error.
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
