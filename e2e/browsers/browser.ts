/** What a visitor does, in a browser that Playwright cannot drive. Selectors are CSS. */
export interface Browser {
  open(url: string): Promise<void>;
  /** Of the page, in CSS pixels. */
  resize(width: number, height: number): Promise<void>;
  click(selector: string): Promise<void>;
  type(selector: string, text: string): Promise<void>;
  attach(selector: string, path: string): Promise<void>;
  /** The value of an expression in the page; it has to be one that JSON can say. */
  evaluate<Value>(expression: string): Promise<Value>;
  close(): Promise<void>;
}
