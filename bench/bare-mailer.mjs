// The least that mailing takes: nodemailer alone in a loop, over as many connections and with as many messages at once as the worker.
import { createTransport } from 'nodemailer';

const [url, count = '0'] = process.argv.slice(2);
const transport = createTransport(url, { pool: true, maxConnections: 5 });
const text = 'A message of the length that people write: we need a new shop, by spring, and someone who keeps it running.\n'.repeat(4);
let next = 0;

async function sendOneAfterTheOther() {
  while (next < Number(count)) {
    const reference = `KW-${String(next++).padStart(16, '0').replace(/(.{4})(?=.)/g, '$1-')}`;
    const messageId = `<${reference}@bench.example>`;
    await transport.sendMail({ from: 'a@bench.example', to: 'b@bench.example', subject: 'Enquiry', messageId, text, html: `<p>${text}</p>` });
  }
}

await Promise.all(Array.from({ length: 10 }, sendOneAfterTheOther));
transport.close();
