// @ts-check
// Loads the app after the markup has been painted, so that nothing else uses the processor during the first paint. Also
// loads the first view: the list with the ways to sign in, a lesson, or its history. The app loads the rest later.

const [, isLesson, isHistory] = /^#(\/i\/[^/]+(\/history)?$)?/.exec(location.hash) ?? [];
const view = isHistory ? 'history' : isLesson ? 'editor' : 'list';
const modules = [...document.querySelectorAll('template')].filter(({ id }) => id === 'app' || id === view);
const start = () => modules.forEach(({ content }) => document.head.append(content));

// A page in the background is not painted, so the app starts at once.
if (document.hidden) start();
else requestAnimationFrame(() => requestAnimationFrame(start));
