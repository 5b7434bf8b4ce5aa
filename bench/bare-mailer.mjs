// The least that mailing takes: nodemailer alone in a loop, over as many connections and with as many messages at once as the worker.
// With `no-delay` its sockets do not wait for acknowledgements within a message, as ours do not; nodemailer has no option for that.
import { connect } from 'node:net';
import { createTransport } from 'nodemailer';

const [url, count = '0', noDelay] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const getSocket = (_options, done) => {
  const connection = connect({ host: hostname, port: Number(port), noDelay: true }, () => done(null, { connection }));
};
const transport = createTransport({
  host: hostname,
  port: Number(port),
  pool: true,
  maxConnections: 5,
  ...(noDelay && { getSocket }),
});
const text =
  'A message of the length that people write: we need a new shop, by spring, and someone who keeps it running.\n'.repeat(
    4,
  );
let next = 0;

async function sendOneAfterTheOther() {
  while (next < Number(count)) {
    const reference = `KW-${String(next++)
      .padStart(16, '0')
      .replace(/(.{4})(?=.)/g, '$1-')}`;
    const messageId = `<${reference}@bench.example>`;
    await transport.sendMail({
      from: 'a@bench.example',
      to: 'b@bench.example',
      subject: 'Enquiry',
      messageId,
      text,
      html: `<p>${text}</p>`,
    });
  }
}

await Promise.all(Array.from({ length: 10 }, sendOneAfterTheOther));
transport.close();
