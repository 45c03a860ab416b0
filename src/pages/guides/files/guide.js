const COPIED_MS = 1500;

for (const program of document.querySelectorAll('.program')) {
  // Browsers offer the clipboard only on secure connections.
  if (!('clipboard' in navigator)) break;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    const shown = [...program.querySelectorAll('pre')].find((one) => one.checkVisibility());
    await navigator.clipboard.writeText(shown?.textContent ?? '');
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), COPIED_MS);
  });
  program.querySelector('figcaption').append(button);
}

document.addEventListener('change', ({ target }) => {
  if (!target.matches('.program input')) return;
  const before = target.getBoundingClientRect().top;
  for (const one of document.querySelectorAll(`.program input[value="${target.value}"]`)) one.checked = true;
  // Keeps the text under the reader's eye in place when text above grows.
  scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' });
});

document.querySelector('.contents').open = matchMedia('(min-width: 60rem)').matches;
if (document.querySelector('[data-path]') !== null) void import('./trying.js');
