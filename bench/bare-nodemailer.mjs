// The least that a worker does: nodemailer composes and sends one message again and again, two at a time. Nothing is read or kept.
import { createTransport } from 'nodemailer';

const { SMTP_URL, COUNT, MESSAGE } = process.env;
const CONNECTIONS = 2;
const transport = createTransport(SMTP_URL);
const message = JSON.parse(MESSAGE);
let remaining = Number(COUNT);
const sendNext = async () => {
  for (; remaining > 0; remaining -= 1) await transport.sendMail(message);
};
await Promise.all(Array.from({ length: CONNECTIONS }, sendNext));
