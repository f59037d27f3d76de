// @ts-check
// Loads the app after the markup has been painted, so that nothing else uses the processor during the first paint. For
// a lesson or its history, also loads the editor; the app loads the rest later.

const isOfLesson = /^#\/i\/[^/]+(\/history)?$/.test(location.hash);
const modules = [...document.querySelectorAll('template')].filter(
  ({ id }) => id === 'app' || (id === 'editor' && isOfLesson),
);
const start = () => modules.forEach(({ content }) => document.head.append(content));

// A page in the background is not painted, so the app starts at once.
if (document.hidden) start();
else requestAnimationFrame(() => requestAnimationFrame(start));
