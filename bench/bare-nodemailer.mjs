// The least that a worker does: nodemailer's own pool of two connections composes and sends one message again and again. Nothing is read or kept.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createTransport } from 'nodemailer';

const { SMTP_URL, COUNT, MESSAGE } = process.env;
const CONNECTIONS = 2;
// With a URL, nodemailer would ignore the other options.
const { hostname, port } = new URL(SMTP_URL);
// Nagle's algorithm is off, as in a worker.
const getSocket = (_options, done) => {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true }, () =>
    done(null, { connection: socket }),
  );
};
const pool = createTransport({ pool: true, maxConnections: CONNECTIONS, maxMessages: 100, getSocket });
const message = JSON.parse(readFileSync(MESSAGE, 'utf8'));
let remaining = Number(COUNT);
const sendNext = async () => {
  for (; remaining > 0; remaining -= 1) await pool.sendMail(message);
};
await Promise.all(Array.from({ length: 2 * CONNECTIONS }, sendNext));
pool.close();
