// SPDX-License-Identifier: GPL-3.0-or-later
// Colours of C and C++: cuts lines into comments, strings, numbers, words of the language.
const WORDS = new Set(`
  alignas alignof asm auto bool break case catch char class co_await co_return co_yield
  concept const const_cast consteval constexpr constinit continue decltype default delete do
  double dynamic_cast else enum explicit export extern false float for friend goto if inline
  int long mutable namespace new noexcept nullptr operator private protected public register
  reinterpret_cast requires restrict return short signed sizeof static static_assert
  static_cast struct switch template this thread_local throw true try typedef typeid
  typename typeof union unsigned using virtual void volatile wchar_t while _Atomic _Bool
  __attribute__ __asm__ __restrict __inline`.trim().split(/\s+/));
const TOKEN = new RegExp([
  "(?<comment>//.*|/\\*(?:.*?\\*/|.*))",
  "(?<string>(?:u8|[uUL])?R?\"(?:\\\\.|[^\"\\\\])*\"?|(?:u8|[uUL])?'(?:\\\\.|[^'\\\\])*'?)",
  "(?<directive>^\\s*#\\s*\\w+(?:\\s*<[^>]*>)?)",
  "(?<number>\\.?\\d(?:[eEpP][+-]|[\\w.'])*)",
  "(?<word>[A-Za-z_]\\w*)"].join("|"), "g");

// The parts of a line: [what, text].  STATE.comment: it begins inside of a comment.
function tokens(line, state) {
  const parts = [];
  let at = 0;
  const add = (what, text) => {
    const last = parts[parts.length - 1];
    if (last && what === "" && last[0] === "")
      last[1] += text;
    else if (text)
      parts.push([what, text]);
    at += text.length;
  };
  if (state.comment) {
    const end = line.indexOf("*/");
    state.comment = end < 0;
    add("comment", end < 0 ? line : line.slice(0, end + 2));
  }
  TOKEN.lastIndex = at;
  for (let found; at < line.length && (found = TOKEN.exec(line));) {
    const text = found[0];
    const [what] = Object.entries(found.groups).find(([, part]) => part !== undefined);
    add("", line.slice(at, found.index));
    add(what !== "word" ? what : WORDS.has(text) ? "keyword" : "", text);
    state.comment = what === "comment" && text.startsWith("/*")
      && (text.length < 4 || !text.endsWith("*/"));
  }
  add("", line.slice(at));
  return parts;
}

// Elements that show a line of source.
function colourLine(line, state) {
  const show = (text) => text.split("\t").map(visible).join("\t");
  return tokens(line, state).map(([what, text]) => (
    what ? cell("span", show(text), "is-" + what) : document.createTextNode(show(text))));
}
