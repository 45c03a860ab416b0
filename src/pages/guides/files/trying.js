/* Sends operations from the REST reference. The key is kept only in the page's memory. */
const LONGEST_TEXT = 100_000;
const LONGEST_MS = 5000;
let reference = null;
let key = '';

for (const section of document.querySelectorAll('section[data-path]')) {
  const button = element('button', { type: 'button', textContent: 'Try it' });
  const fault = element('div', { role: 'status' });
  section.querySelector('.program').after(button, fault);
  button.addEventListener('click', async () => {
    try {
      // Many readers never try an operation. A failed load is tried again with the next press.
      reference ??= loaded('/openapi.json');
      const form = formOf(section.dataset, await reference);
      fault.remove();
      button.replaceWith(form);
      form.querySelector('input, textarea, button').focus();
    } catch (error) {
      reference = null;
      fault.textContent = `The form cannot be loaded: ${error.message}`;
    }
  });
}

async function loaded(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
}

function formOf({ method, path }, { paths }) {
  const { parameters = [], requestBody, security } = paths[path][method.toLowerCase()];
  const keyField = security.length > 0 ? field('API key', { type: 'password', autocomplete: 'off', value: key }) : null;
  const fields = parameters.map(({ name, required, example = '' }) => field(name, { name, required, value: example }));
  const example = requestBody?.content['application/json']?.example;
  const body = example && field('Body', { rows: 6, value: JSON.stringify(example, null, 2) }, 'textarea');
  const result = element('div', { role: 'status' });
  const form = element('form', { className: 'trying' });
  form.append(
    ...[keyField, ...fields, body, element('button', { className: 'primary', textContent: 'Send' }), result].filter(
      Boolean,
    ),
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    key = keyField?.lastChild.value ?? key;
    const given = parameters.map((one, index) => ({ ...one, value: fields[index].lastChild.value }));
    result.replaceChildren(...(await sent({ method, path, given, body: body?.lastChild.value, key: keyField && key })));
  });
  return form;
}

async function sent({ method, path, given, body, key: own }) {
  const those = (location) => given.filter((one) => one.in === location && one.value !== '');
  const filled = those('path').reduce(
    (text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  const query = new URLSearchParams(those('query').map(({ name, value }) => [name, value])).toString();
  const headers = Object.fromEntries(those('header').map(({ name, value }) => [name, value]));
  if (own) headers.authorization = `Bearer ${own}`;
  if (body !== undefined) headers['content-type'] = 'application/json';
  const asked = { method, headers, body };
  const began = performance.now();
  try {
    const response = await fetch(filled + (query && `?${query}`), asked);
    const text = await beginning(response);
    const line = `${response.status} ${response.statusText}, ${Math.round(performance.now() - began)} ms`;
    const shown = element('pre', { tabIndex: 0, textContent: pretty(text) });
    shown.setAttribute('role', 'group');
    shown.setAttribute('aria-label', 'The answer');
    return [element('p', { textContent: line }), shown];
  } catch (error) {
    return [element('p', { textContent: `No answer: ${error.message}` })];
  }
}

async function beginning(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const timer = setTimeout(() => reader.cancel(), LONGEST_MS);
  let text = '';
  while (text.length < LONGEST_TEXT) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
  }
  clearTimeout(timer);
  void reader.cancel();
  return text;
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function field(label, properties, tag = 'input') {
  const wrapped = element('label', {});
  wrapped.append(`${label}${properties.required ? ', required' : ''}`, element(tag, properties));
  return wrapped;
}

function element(tag, properties) {
  return Object.assign(document.createElement(tag), properties);
}
