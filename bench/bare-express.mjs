// The least that any service on this stack does: Express 5 parses the body and adds a BullMQ job. Nothing is checked or kept.
import { Queue } from 'bullmq';
import express from 'express';

const queue = new Queue('bare', {
  connection: { url: process.env.REDIS_URL },
  defaultJobOptions: { removeOnComplete: true },
});
const app = express();
app.post('/api/contact', express.json(), async (request, response) => {
  const job = await queue.add('deliver', request.body);
  response.status(202).json({ success: true, reference: job.id });
});
const server = app.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  process.stdout.write(`${JSON.stringify({ event: 'listening', url })}\n`);
});
