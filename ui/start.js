// @ts-check
// Asks for the app when what stands in the markup has been painted, so that the first paint shares the processor with
// nothing.

const app = /** @type {HTMLTemplateElement} */ (document.getElementById('app'));
const start = () => document.head.append(app.content);

// A page that is not to be seen yet paints nothing.
if (document.hidden) start();
else requestAnimationFrame(() => requestAnimationFrame(start));
