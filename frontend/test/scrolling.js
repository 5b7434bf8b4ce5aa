// jsdom draws nothing, so nothing in it can be scrolled to.
if (globalThis.Element) Element.prototype.scrollIntoView = () => Promise.resolve();
