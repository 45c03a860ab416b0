import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import graphql from 'highlight.js/lib/languages/graphql';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import xml from 'highlight.js/lib/languages/xml';

import { escaped } from '../../http/html-text.ts';

const LANGUAGES = {
  sh: [bash, 'Shell'],
  js: [javascript, 'JavaScript'],
  py: [python, 'Python'],
  graphql: [graphql, 'GraphQL'],
  json: [json, 'JSON'],
  html: [xml, 'HTML'],
  md: [markdown, 'Markdown'],
} as const;

for (const [name, [grammar]] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, grammar);

export interface Program {
  readonly language: string;
  readonly text: string;
  readonly title?: string;
}

/** Highlighted here to keep the browser's work small. `name` is unique in its page. */
export function programsHtml(programs: readonly Program[], name: string): string {
  const [first] = programs;
  const head =
    programs.length === 1 && first !== undefined
      ? `<span>${titleOf(first)}</span>${ideLink(first)}`
      : tabs(programs, name);
  return `<figure class="program"><figcaption>${head}</figcaption>${programs.map(codeHtml).join('')}</figure>\n`;
}

function tabs(programs: readonly Program[], name: string): string {
  const labels = programs.map(
    (program, index) =>
      `<label><input type="radio" name="${name}" value="${program.language}"${index === 0 ? ' checked' : ''}><span>${titleOf(program)}</span></label>`,
  );
  return `<fieldset class="tabs"><legend class="visually-hidden">Language</legend>${labels.join('')}</fieldset>`;
}

function titleOf({ language, text, title }: Program): string {
  if (title !== undefined) return title;
  if (language === 'sh' && text.startsWith('curl')) return 'curl';
  return new Map<string, readonly unknown[]>(Object.entries(LANGUAGES)).get(language)?.[1]?.toString() ?? 'Text';
}

/** The fragment stays in the browser, however long it is. */
function ideLink({ language, text }: Program): string {
  if (language !== 'graphql') return '';
  return `<a href="/graphql#query=${encodeURIComponent(text)}">Open in the IDE</a>`;
}

/** Keyboards cannot scroll it without a tab stop. */
function codeHtml(program: Program): string {
  const { language, text } = program;
  const coloured = hljs.getLanguage(language) ? hljs.highlight(text, { language }).value : escaped(text);
  return `<pre tabindex="0" role="group" aria-label="${titleOf(program)}" data-language="${language}"><code>${coloured}</code></pre>`;
}
