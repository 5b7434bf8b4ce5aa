import { TestEnvironment } from 'jest-environment-jsdom';

/** What every browser has and jsdom leaves out; Node's own do the same. */
const { TextEncoder, TextDecoder, Request, Response, Headers } = globalThis;

/** A document, for tests of components: jsdom, with the parts of a browser that it lacks. */
export default class BrowserEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    Object.assign(this.global, { TextEncoder, TextDecoder, Request, Response, Headers });
    this.global.Blob.prototype.arrayBuffer = async function arrayBuffer() {
      const [inner] = Object.getOwnPropertySymbols(this);
      // oxlint-disable-next-line no-underscore-dangle -- where jsdom keeps the bytes
      return Uint8Array.from(this[inner]._buffer).buffer;
    };
  }
}
