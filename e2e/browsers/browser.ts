/** Actions of a visitor in a browser that Playwright cannot control. Selectors are CSS. */
export interface Browser {
  open(url: string): Promise<void>;
  /** Resizes the viewport, in CSS pixels. */
  resize(width: number, height: number): Promise<void>;
  click(selector: string): Promise<void>;
  type(selector: string, text: string): Promise<void>;
  attach(selector: string, path: string): Promise<void>;
  /** Evaluates an expression in the page. The value must be serialisable as JSON. */
  evaluate<Value>(expression: string): Promise<Value>;
  close(): Promise<void>;
}
