// Code that both peers share: finds the top-level fields that an update changed, and the search words of a document.
"use strict";

exports.changed = (before, after) =>
  Object.keys(after)
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((path) => ({ path, before: before[path], after: after[path] }));

exports.words = (content) => {
  const texts = [];
  const walk = (value) => {
    if (typeof value === "string") texts.push(value);
    else if (value && typeof value === "object") Object.values(value).forEach(walk);
  };
  walk(content);
  return texts.join(" ").toLowerCase();
};
