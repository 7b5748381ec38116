/*
 * Loaded in the head of every guide, before anything is drawn: the colours, tabs, copy buttons and the contents of the page.
 * Everything can be read without it.
 */
{
  const root = document.documentElement;
  root.classList.add('scripted');

  /** What the browser keeps for this host; nothing where the person has turned that off. */
  const kept = {
    read(name) {
      try {
        return localStorage.getItem(name);
      } catch {
        return null;
      }
    },
    write(name, value) {
      try {
        localStorage.setItem(name, value);
      } catch {
        // It holds for this page only.
      }
    },
  };

  /* Colours: those of the system, or those chosen here or in the dashboard, which uses the same name. */
  const schemeName = 'mantine-color-scheme-value';
  const chosen = kept.read(schemeName);
  if (chosen === 'light' || chosen === 'dark') root.dataset.scheme = chosen;

  function addSchemeButton() {
    const button = document.createElement('button');
    button.type = 'button';
    button.innerHTML =
      '<svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true"><circle cx="10" cy="10" r="6.5" fill="none" stroke="currentColor" stroke-width="1.6"/><path d="M10 3.5a6.5 6.5 0 0 1 0 13z" fill="currentColor"/></svg>';
    const system = matchMedia('(prefers-color-scheme: dark)');
    const current = () => root.dataset.scheme ?? (system.matches ? 'dark' : 'light');
    const other = () => (current() === 'dark' ? 'light' : 'dark');
    const name = () => button.setAttribute('aria-label', `Use ${other()} colours`);
    button.addEventListener('click', () => {
      root.dataset.scheme = other();
      kept.write(schemeName, root.dataset.scheme);
      name();
    });
    system.addEventListener('change', name);
    name();
    document.querySelector('.tools')?.append(button);
  }

  /* Tabs. The choices of a person are kept, newest first, so that each set of tabs shows the newest that it has. */
  const choicesName = 'notify-docs-tabs';

  function choices() {
    try {
      const list = JSON.parse(kept.read(choicesName) ?? '[]');
      return Array.isArray(list) ? list : [];
    } catch {
      return [];
    }
  }

  function makeTabs() {
    const sets = Array.from(document.querySelectorAll('.tabs'), makeSet);
    const choose = (label) => {
      const others = choices().filter((one) => one !== label);
      kept.write(choicesName, JSON.stringify([label, ...others].slice(0, 8)));
      for (const set of sets) set.show(label);
    };
    for (const set of sets) {
      const label = choices().find((one) => set.labels.includes(one)) ?? set.labels[0];
      set.show(label);
      set.onChoice = choose;
    }
    const showTarget = () => {
      const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      const panel = target?.closest('.tabs > section');
      if (!panel) return;
      for (const set of sets) if (set.element.contains(panel)) set.show(panel.dataset.label);
      panel.parentElement.scrollIntoView();
    };
    addEventListener('hashchange', showTarget);
    showTarget();
  }

  /** Makes tabs of one set of alternatives. `show` does nothing where the set has no such label. */
  function makeSet(element, index) {
    const panels = Array.from(element.querySelectorAll(':scope > section'));
    const labels = panels.map((panel) => panel.dataset.label);
    const tabs = panels.map((panel, at) => makeTab(panel, `${index}-${at}`));
    const list = document.createElement('div');
    list.setAttribute('role', 'tablist');
    list.setAttribute('aria-label', 'Language or tool');
    list.append(...tabs);
    element.prepend(list);
    const set = {
      element,
      labels,
      onChoice: () => undefined,
      show(label) {
        const at = labels.indexOf(label);
        if (at < 0) return;
        for (const [place, tab] of tabs.entries()) {
          tab.setAttribute('aria-selected', String(place === at));
          tab.tabIndex = place === at ? 0 : -1;
          panels[place].classList.toggle('chosen', place === at);
        }
      },
    };
    /** Sets above this one change their height, too: what was chosen stays where it is on the screen. */
    const choose = (at) => {
      const before = list.getBoundingClientRect().top;
      set.onChoice(labels[at]);
      scrollBy({ top: list.getBoundingClientRect().top - before, behavior: 'instant' });
      tabs[at].focus({ preventScroll: true });
      tabs[at].scrollIntoView({ block: 'nearest', inline: 'nearest' });
    };
    for (const [at, tab] of tabs.entries()) {
      tab.addEventListener('click', () => choose(at));
      tab.addEventListener('keydown', (event) => {
        const next = placeAfter(event.key, at, tabs.length);
        if (next === null) return;
        event.preventDefault();
        choose(next);
      });
    }
    return set;
  }

  function makeTab(panel, name) {
    const tab = document.createElement('button');
    tab.type = 'button';
    tab.id = `tab-${name}`;
    tab.textContent = panel.dataset.label;
    tab.setAttribute('role', 'tab');
    panel.id = `panel-${name}`;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', tab.id);
    tab.setAttribute('aria-controls', panel.id);
    return tab;
  }

  /** Where a key leads from one of several tabs; null for other keys. */
  function placeAfter(key, at, count) {
    if (key === 'ArrowRight') return (at + 1) % count;
    if (key === 'ArrowLeft') return (at + count - 1) % count;
    if (key === 'Home') return 0;
    return key === 'End' ? count - 1 : null;
  }

  /* Copy buttons. */
  function addCopyButtons() {
    const said = document.createElement('p');
    said.className = 'only-read';
    said.setAttribute('role', 'status');
    document.body.append(said);
    for (const figure of document.querySelectorAll('figure')) {
      const code = figure.querySelector('pre > code');
      const file = figure.querySelector('figcaption')?.textContent;
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'copy';
      button.textContent = 'Copy';
      button.setAttribute('aria-label', file ? `Copy ${file}` : 'Copy this code');
      let back;
      button.addEventListener('click', async () => {
        const isCopied = await copy(code);
        button.textContent = isCopied ? 'Copied' : 'Press Ctrl+C';
        said.textContent = isCopied ? 'Copied.' : 'The code is selected. Press Control and C to copy it.';
        clearTimeout(back);
        back = setTimeout(() => {
          button.textContent = 'Copy';
          said.textContent = '';
        }, 2_000);
      });
      figure.append(button);
    }
  }

  /** Copies the code. Over http, browsers have no clipboard for scripts: then it selects the code and asks for a copy. */
  async function copy(code) {
    try {
      await navigator.clipboard.writeText(code.textContent);
      return true;
    } catch {
      getSelection().selectAllChildren(code);
      return document.execCommand('copy');
    }
  }

  /* The contents: marks the heading that is being read, and closes where it covers the text. */
  function followContents() {
    const contents = document.getElementById('contents');
    if (contents === null) return;
    contents.addEventListener('click', ({ target }) => {
      if (target.closest('a') && contents.matches(':popover-open')) contents.hidePopover();
    });
    const links = Array.from(contents.querySelectorAll('a'));
    const headings = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
    const mark = () => {
      const passed = headings.filter(
        (heading) => heading.getBoundingClientRect().top < innerHeight / 3,
      ).length;
      for (const [at, link] of links.entries())
        if (at === Math.max(0, passed - 1)) link.setAttribute('aria-current', 'location');
        else link.removeAttribute('aria-current');
    };
    let isWaiting = false;
    const markSoon = () => {
      if (isWaiting) return;
      isWaiting = true;
      requestAnimationFrame(() => {
        isWaiting = false;
        mark();
      });
    };
    addEventListener('scroll', markSoon, { passive: true });
    mark();
  }

  document.addEventListener('DOMContentLoaded', () => {
    addSchemeButton();
    makeTabs();
    addCopyButtons();
    followContents();
    document.querySelector('.pages [aria-current]')?.scrollIntoView({ block: 'nearest' });
  });
}
