import { TestEnvironment } from 'jest-environment-jsdom';

/** Globals of every browser that jsdom lacks; Node's are equivalent. */
const { TextEncoder, TextDecoder, Request, Response, Headers } = globalThis;

/** jsdom with the missing parts of a browser, for tests of components. */
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
