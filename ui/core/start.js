// @ts-check
// Loads the app after the markup has been painted, so that nothing else uses the processor during the first paint.

const app = /** @type {HTMLTemplateElement} */ (document.getElementById('app'));
const start = () => document.head.append(app.content);

// A page in the background is not painted.
if (document.hidden) start();
else requestAnimationFrame(() => requestAnimationFrame(start));
