// The least that mailing takes: nodemailer alone in a loop, over as many connections, with as many messages at once and of the same
// length as the worker, and without Nagle's algorithm too.
import { connect } from 'node:net';
import { createTransport } from 'nodemailer';

const [url = '', count = '0'] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const transport = createTransport({
  host: hostname,
  port: Number(port),
  pool: true,
  maxConnections: 5,
  getSocket(options, done) {
    const connection = connect({ host: options.host, port: options.port, noDelay: true });
    connection.once('connect', () => done(null, { connection }));
  },
});
const text =
  'A message of the length that people write: we need a new shop, and someone who keeps it running.\n'.repeat(4);
const mail = {
  from: 'a@bench.example',
  to: 'b@bench.example',
  subject: 'Enquiry',
  text,
  html: `<p>${text}</p>`.repeat(20),
};
let next = 0;

async function sendOneAfterTheOther() {
  while (next < Number(count)) {
    const digits = String(next++).padStart(16, '0');
    const reference = `KW-${digits.match(/.{4}/g)?.join('-')}`;
    await transport.sendMail({ ...mail, messageId: `<${reference}@bench.example>` });
  }
}

await Promise.all(Array.from({ length: 10 }, sendOneAfterTheOther));
transport.close();
