/*
 * The search of the documentation, in the top bar of every page: guides, operations, events and error codes. `/` focuses
 * it, and so does Ctrl or Command with K. What it looks through is loaded when it is focused first.
 */
{
  const place = document.querySelector('.search');
  const mostShown = 12;
  let entries = null;
  let shown = [];
  let active = -1;

  const input = make('input', {
    type: 'search',
    role: 'combobox',
    placeholder: 'Search',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-label': 'Search guides and reference',
    'aria-keyshortcuts': '/ Control+K Meta+K',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': 'found',
  });
  const key = make('kbd', { 'aria-hidden': 'true' }, '/');
  const list = make('div', { id: 'found', role: 'listbox', 'aria-label': 'Found' });
  const nothing = make('p', {});
  const panel = make('div', { class: 'found', hidden: '' }, list, nothing);
  const said = make('p', { class: 'only-read', role: 'status' });
  place.append(input, key, panel, said);

  function make(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
    element.append(...children);
    return element;
  }

  async function load() {
    if (entries !== null) return;
    entries = [];
    try {
      entries = await (await fetch('/docs/search.json')).json();
      update();
    } catch {
      entries = null; // The next key tries again.
      nothing.textContent = 'The search could not be loaded.';
    }
  }

  /** How well an entry matches: 0 if a word is missing. Titles count most, then the place, then the text. */
  function scoreOf({ title, within, text }, words) {
    const [name, where, rest] = [title, within, text].map((one) => one.toLowerCase());
    let sum = name.startsWith(words.join(' ')) ? 10 : 0;
    if (name === words.join(' ')) sum += 20;
    for (const word of words) {
      const score = 4 * fit(name, word) + 2 * fit(where, word) + fit(rest, word);
      if (score === 0) return 0;
      sum += score;
    }
    return sum;
  }

  /** 2 where a word of the text begins so, 1 where it is inside of one, 0 where it is missing. */
  function fit(text, word) {
    const at = text.indexOf(word);
    if (at < 0) return 0;
    return at === 0 || !/[a-z0-9]/.test(text[at - 1]) ? 2 : 1;
  }

  function update() {
    const query = input.value.trim().toLowerCase();
    const words = query.split(/\s+/).filter((word) => word !== '');
    shown = words.length === 0 ? [] : best(words);
    active = shown.length > 0 ? 0 : -1;
    list.replaceChildren(...shown.map((entry, at) => optionOf(entry, at, words)));
    nothing.hidden = shown.length > 0;
    if (entries?.length > 0) nothing.textContent = `Nothing found for “${input.value.trim()}”.`;
    show(words.length > 0);
    said.textContent =
      words.length === 0 ? '' : shown.length === 0 ? 'Nothing found' : `${shown.length} found`;
  }

  function best(words) {
    return (entries ?? [])
      .map((entry) => ({ entry, score: scoreOf(entry, words) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, mostShown)
      .map(({ entry }) => entry);
  }

  function optionOf({ title, within, kind, address, text }, at, words) {
    const option = make(
      'a',
      { role: 'option', id: `found-${at}`, href: address, tabindex: '-1', 'aria-selected': String(at === 0) },
      make('small', { class: 'kind' }, kind),
      make('strong', {}, ...marked(title, words)),
      make('small', {}, ...marked(within, words)),
    );
    const around = excerpt(text, words);
    const isTold = words.every((word) => `${title} ${within}`.toLowerCase().includes(word));
    if (!isTold && around !== '') option.append(make('small', {}, ...marked(around, words)));
    option.addEventListener('click', close);
    option.addEventListener('pointermove', () => activate(at));
    return option;
  }

  /** The words around the first one that was found. */
  function excerpt(text, words) {
    const low = text.toLowerCase();
    const at = Math.min(...words.map((word) => low.indexOf(word)).filter((one) => one >= 0));
    if (!Number.isFinite(at)) return '';
    const from = at < 40 ? 0 : text.indexOf(' ', at - 40) + 1;
    const to = text.length <= from + 110 ? text.length : text.lastIndexOf(' ', from + 110);
    return `${from > 0 ? '… ' : ''}${text.slice(from, to)}${to < text.length ? ' …' : ''}`;
  }

  /** The text in pieces, with marks around what was found. */
  function marked(text, words) {
    const escaped = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
    return text
      .split(new RegExp(`(${escaped.join('|')})`, 'i'))
      .map((piece, at) => (at % 2 === 1 ? make('mark', {}, piece) : piece));
  }

  function show(isShown) {
    panel.hidden = !isShown;
    input.setAttribute('aria-expanded', String(isShown && shown.length > 0));
    if (isShown && active >= 0) input.setAttribute('aria-activedescendant', `found-${active}`);
    else input.removeAttribute('aria-activedescendant');
  }

  function activate(at) {
    active = at;
    for (const [place, option] of Array.from(list.children).entries())
      option.setAttribute('aria-selected', String(place === at));
    input.setAttribute('aria-activedescendant', `found-${at}`);
  }

  function close() {
    show(false);
  }

  input.addEventListener('focus', load);
  input.addEventListener('input', () => {
    load();
    update();
  });
  input.addEventListener('keydown', (event) => {
    const isOpen = !panel.hidden && shown.length > 0;
    if (event.key === 'Escape') {
      if (panel.hidden) input.blur();
      close();
    } else if (event.key === 'Enter' && isOpen) list.children[active].click();
    else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && isOpen) {
      const step = event.key === 'ArrowDown' ? 1 : -1;
      activate((active + step + shown.length) % shown.length);
      list.children[active].scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'ArrowDown' && input.value.trim() !== '') update();
    else return;
    event.preventDefault();
  });
  place.addEventListener('focusout', ({ relatedTarget }) => {
    if (!place.contains(relatedTarget)) close();
  });
  document.addEventListener('keydown', (event) => {
    const { target, key: pressed } = event;
    const isTyping = target.closest?.('input, textarea, select, [contenteditable=true], [role=textbox]');
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
    const isSlash = pressed === '/' && !hasModifier && !isTyping;
    const isCommandK = pressed === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey;
    if (!isSlash && !isCommandK) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}
