// @ts-check
// The service writes this script into index.html, so that it runs before all others. It requests the signed-in user and
// the lesson in the address at once. It requests the modules of the first view (the list with the ways to sign in, a
// lesson, or its history) only after the first paint, so that nothing delays this paint. The app loads the rest later.

const [, isLesson, id, isHistory] = /^#(\/i\/([^/]+)(\/history)?$)?/.exec(location.hash) ?? [];
const view = isHistory ? 'history' : isLesson ? 'editor' : 'list';
const modules = [...document.querySelectorAll('template')].filter((one) => one.id === 'app' || one.id === view);
/** Asks for a few modules in each task, so that the page reacts in between. In the background, tasks wait long. */
function start() {
  const some = modules.flatMap(({ content }) => [...content.children]).slice(0, document.hidden ? Infinity : 6);
  if (some.length > 0) setTimeout(start);
  document.head.append(...some);
}

/** `call` in `api.js` takes these responses. @param {string} path @param {Record<string, string>} [headers] */
const early = (path, headers = {}) => [path, fetch(path, { headers, cache: 'no-store' }).catch(() => undefined)];
const isStored = /^[0-9a-f]{24}$/.test(id ?? '');
const ofLesson = [`/api/investigation/${id}`, '/api/investigation/format', '/ui/service.json'];
const all = [
  early('/api/me', { 'fieldbook-background': '?1' }),
  ...(isStored ? ofLesson : []).map((path) => early(path)),
];
Object.assign(window, { early: Object.fromEntries(all) });

// A page in the background is not painted, so the app starts at once.
if (document.hidden) start();
else requestAnimationFrame(() => requestAnimationFrame(start));
