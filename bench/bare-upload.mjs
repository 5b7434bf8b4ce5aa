// The least that an upload takes: a bare Node.js server streams each body to a file and syncs it. Nothing is parsed or checked.
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

createServer(async (request, response) => {
  if (request.method === 'POST')
    await pipeline(request, createWriteStream(join(process.env.UPLOAD_FOLDER, randomUUID()), { flush: true }));
  response.writeHead(request.method === 'POST' ? 202 : 200).end();
}).listen(Number(process.env.API_PORT), '127.0.0.1');
