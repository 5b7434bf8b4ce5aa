// The least that a worker does: nodemailer's own pool composes and sends one message again and again. Nothing is read or kept.
import { readFileSync } from 'node:fs';
import { createTransport } from 'nodemailer';

const { SMTP_URL, CONNECTIONS, COUNT, MESSAGE } = process.env;
const pool = createTransport({ url: SMTP_URL, pool: true, maxConnections: Number(CONNECTIONS), maxMessages: 100 });
const message = JSON.parse(readFileSync(MESSAGE, 'utf8'));
let remaining = Number(COUNT);
const sendNext = async () => {
  for (; remaining > 0; remaining -= 1) await pool.sendMail(message);
};
await Promise.all(Array.from({ length: 2 * Number(CONNECTIONS) }, sendNext));
pool.close();
