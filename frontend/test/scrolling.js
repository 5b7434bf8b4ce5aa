// jsdom has no layout, and lacks this method.
if (globalThis.Element) Element.prototype.scrollIntoView = () => Promise.resolve();
