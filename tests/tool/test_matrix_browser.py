# SPDX-License-Identifier: Apache-2.0
"""The page of rung matrix in a browser, from a file: seen, clicked and typed, on a desk, on a phone, on paper."""
import re
import subprocess

import browser as chromium
import pytest
import results
from conftest import environment

LONG = "x" * 5000 + "</script><img src=x onerror=hacked=1>"
BOX = f"td[data-key='{results.OPENED}']"


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    program = chromium.find()
    if program is None:
        pytest.skip("unproven: the matrix page in a browser (no chromium)")
    try:
        one = chromium.Browser(program, tmp_path_factory.mktemp("profile"))
    except RuntimeError as problem:
        pytest.skip(f"unproven: the matrix page in a browser ({program}: {problem})")
    yield one
    one.close()


@pytest.fixture(scope="module")
def address(binary, tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    proofs, times = results.some()
    proofs["cells"].append(results.cell("ridge_solve/cpu/generic/default", "failed", why=LONG))
    subprocess.run([binary, "matrix", "--html", "page.html", *results.write(folder, proofs, times)], cwd=folder,
                   env=environment(), check=True)
    return (folder / "page.html").as_uri()


@pytest.fixture
def page(browser, address):
    """Loads it: page("#device=cpu"). Afterwards nothing may have been complained of, and nothing else asked for."""
    browser.complaints.clear()
    browser.requests.clear()

    def load(more="", width=1280, height=900, **screen):
        browser.screen(width, height, **screen)
        browser.load(address + more)
        return browser

    yield load
    assert browser.complaints == []
    assert {re.sub("#.*", "", url) for url in browser.requests} == {address}


def focus(browser):
    """What has the focus: the key of a box, or the id of something else."""
    return browser.value("document.activeElement.dataset.key || document.activeElement.id")


def columns(browser):
    """The heads of archs that are seen."""
    return browser.value("""[...document.querySelectorAll("#ops thead tr:last-child th")]
        .filter(e => e.checkVisibility()).map(e => e.textContent)""")


def rows(browser):
    return browser.value("""[...document.querySelectorAll("tbody th")].filter(e => e.checkVisibility())
        .map(e => e.innerText.split(/\\s/)[0])""")


def is_open(browser):
    return browser.value("document.querySelector('#panel').open")


def has_closed(browser, key):
    """Waits until the panel is closed, and the focus back on its box."""
    browser.until("!panel.open && opened === null && document.activeElement.tagName === 'TD'")
    return focus(browser) == key


def test_a_box_by_click(page):
    b = page()
    assert not is_open(b)
    b.click(BOX)
    assert is_open(b)
    assert b.value("document.querySelector('#panel-title').textContent") == "gemm_tn on cpu/generic"
    text = b.value("document.querySelector('#panel').innerText")
    for word in ("kernels/cpu/generic/gemm_tn.c", "Ladder of cpu", "this platform", "345 in 12 cases, 0 failed",
                 "A Processor", "0.25 of what is allowed", "m 20, n 300, k 256", "125 µs", "24.6", "5.28",
                 "41 % (arithmetic)", "11 GB/s copied, 120 GFLOP/s in float, 60 in double"):
        assert word in text, word
    assert b.value("document.querySelector('.ladder [aria-current] .name').firstChild.data") == "cpu/generic"
    assert focus(b) == "panel-close"
    b.click("#panel-close")
    assert has_closed(b, results.OPENED)


def test_a_click_beside_the_panel_closes_it(page):
    b = page("#cell=" + results.OPENED)
    for kind in ("mousePressed", "mouseReleased"):
        b.call("Input.dispatchMouseEvent", type=kind, x=5, y=500, button="left", clickCount=1)
    assert has_closed(b, results.OPENED)


def test_every_box_opens(page):
    """The panel of each has the ladder of the platform that is shown, and before it that of the box's own, where it
    is another. In the box's own is its rung, and in each at most one that is called."""
    b = page()
    problems = b.value("""[...boxes].filter(([key, box]) => {
        fillPanel(box);
        const found = [...document.querySelectorAll("#panel .ladder")];
        const own = data.matrix.chain.some((d) => d.device === box.column.device &&
            (box.column.arch === null || d.archs.includes(box.column.arch)));
        return found.length !== (own ? 1 : 2) || found[0].querySelectorAll(".asked").length !== 1 ||
            found.some((l) => l.children.length === 0 || l.querySelectorAll(".taken").length > 1);
    }).map(([key]) => key)""")
    assert problems == []
    assert b.value("boxes.size") == b.value("document.querySelectorAll('td').length") > 100


def test_by_keyboard_alone(page):
    b = page()
    for _ in range(20):
        b.key("Tab")
        if b.value("document.activeElement.tagName") == "TD":
            break
    assert b.value("document.activeElement.closest('table').id") == "ops"
    keys = b.value("""[...document.querySelectorAll("#ops tbody tr")].map(
        r => [...r.querySelectorAll("td")].map(d => d.dataset.key))""")
    last, end = len(keys) - 1, len(keys[0]) - 1
    for name, control, r, c in [("ArrowRight", False, 0, 1), ("ArrowDown", False, 1, 1), ("ArrowLeft", False, 1, 0),
                                ("ArrowLeft", False, 1, 0), ("End", False, 1, end), ("PageDown", False, 6, end),
                                ("PageUp", False, 1, end), ("ArrowUp", False, 0, end), ("ArrowUp", False, 0, end),
                                ("Home", False, 0, 0), ("End", True, last, end), ("Home", True, 0, 0)]:
        b.key(name, control)
        assert focus(b) == keys[r][c], name
    assert b.value("document.querySelectorAll('#ops td[tabindex=\"0\"]').length") == 1
    b.key("ArrowDown")
    for key in ("Enter", " "):
        b.key(key)
        assert is_open(b) and focus(b) == "panel-close"
        for _ in range(4):  # the page behind is out of reach
            b.key("Tab")
            assert b.value("document.activeElement === document.body || panel.contains(document.activeElement)")
        b.key("Escape")
        assert has_closed(b, keys[1][0])
    b.key("Tab")
    assert b.value("document.activeElement.closest('table').id") == "components"


@pytest.mark.parametrize("width", [375, 800])
def test_the_focus_is_seen(page, width):
    """Boxes that are moved to come out from under the heads that stay, and have an outline."""
    b = page(width=width, height=600)
    b.value("document.querySelector('#ops td').focus()")
    for name in ["End", *["ArrowLeft"] * 9, *["PageDown"] * 3, *["ArrowUp"] * 15]:
        b.key(name)
        b.value("new Promise(requestAnimationFrame)")
        hidden = b.value("""(() => {
            const r = document.activeElement.getBoundingClientRect();
            const on = (x, y) => document.elementFromPoint(x, y)?.closest("td") === document.activeElement;
            return !on(r.x + 4, r.y + 4) || getComputedStyle(document.activeElement).outlineStyle === "none";
        })()""")
        assert not hidden, name


def test_names_for_assistive_technology(page):
    """The browser's own tree of it: a grid, heads, boxes with all that they say, and no sign that is read aloud."""
    b = page()
    nodes = b.call("Accessibility.getFullAXTree")["nodes"]
    named = [(n["role"]["value"], n.get("name", {}).get("value", "")) for n in nodes if not n["ignored"]]
    assert ("grid", "Ops") in named and ("grid", "Components") in named
    roles = [role for role, _ in named]
    assert {"columnheader", "rowheader", "gridcell", "search", "searchbox", "combobox"} <= set(roles)
    cells = {re.sub(r"\s+", " ", name).strip() for role, name in named if role == "gridcell"}
    assert "chosen passed" in cells or "available passed" in cells
    assert any(name.startswith("falls to ") for name in cells)
    assert not any(re.search("[●○→△□⊘✓✗]", name) for name in cells if "→" not in name)
    assert [name for role, name in named if role in ("searchbox", "combobox", "button") and name == ""] == []


def test_filters(page):
    b = page()
    everything, all_columns = rows(b), columns(b)
    b.click("#filter-op")
    b.type("RIDGE")
    assert set(rows(b)) == {"ridge_solve"}
    assert "in 2 rows" in b.value("document.querySelector('#count').textContent")
    assert b.value("location.hash") == "#op=RIDGE"
    b.click("#filter-none")
    assert (rows(b), columns(b), b.value("location.hash")) == (everything, all_columns, "")

    names = b.value("[...document.querySelector('#filter-device').options].map(o => o.value)")
    assert set(names) == {"", "accel", "cpu", "cuda"}
    b.value("document.querySelector('#filter-device').focus()")
    while b.value("document.querySelector('#filter-device').value") != "cuda":
        b.key("ArrowDown")
    assert columns(b) == ["sm120", "sm100", "sm90a", "sm90", "sm80", "ptx", "generic"]
    assert b.value("document.querySelector('#filter-arch').length") == 8
    b.value("document.querySelector('#filter-arch').focus()")
    while b.value("document.querySelector('#filter-arch').value") != "sm90":
        b.key("ArrowDown")
    assert columns(b) == ["sm90"]
    assert b.value("document.querySelector('#ops thead th[scope=colgroup]:not([hidden])').colSpan") == 1
    assert b.value("location.hash") == "#device=cuda&arch=sm90"
    b.value("document.querySelector('#filter-device').focus()")
    b.key("Home")
    assert (rows(b), columns(b).count("sm90")) == (everything, 2)  # of cuda and of accel

    b.click("#filter-none")
    b.value("document.querySelector('#filter-state').focus()")
    while b.value("document.querySelector('#filter-state').value") != "passed-fake":
        b.key("ArrowDown")
    assert rows(b) == ["gemm_tn"]
    assert b.value("document.querySelectorAll('#ops tr:not([hidden]) td:not(.off)').length") == 1
    assert b.value("document.querySelector('#ops td[tabindex=\"0\"]').checkVisibility()")


def test_nothing_matches(page):
    b = page("#op=nonesuch")
    assert rows(b) == []
    assert b.value("document.querySelector('#count').innerText") == "Nothing matches."


def test_the_address_keeps_it(page):
    b = page()
    b.value("document.querySelector('#filter-device').focus()")
    b.key("ArrowDown")
    b.click("#ops td:not([hidden])")
    kept, key = b.value("location.hash"), b.value("opened")
    assert kept.endswith("&cell=" + key) and kept.startswith("#device=")
    b = page(kept)
    assert (is_open(b), b.value("opened"), b.value("location.hash")) == (True, key, kept)
    b.key("Escape")
    assert has_closed(b, key)
    assert b.value("location.hash") == kept.split("&")[0]
    b.value("location.hash = '#op=gemm_tn&cell=" + results.OPENED + "'")
    b.until("opened !== null")
    assert (set(rows(b)), b.value("opened")) == ({"gemm_tn"}, results.OPENED)


@pytest.mark.parametrize("more", ["#device=nonesuch&arch=%00&state=%3Cb%3E&cell=a/b/c/d", "#%", "#cell=__proto__",
                                  "#=&&==", "#cell=<img src=x onerror=alert(1)>"])
def test_an_address_of_something_else(page, more):
    b = page(more)
    assert not is_open(b)
    assert len(rows(b)) > 5


@pytest.mark.parametrize("more", ["", "#cell=" + results.OPENED, "#cell=ridge_solve/cpu/generic/default",
                                  "#device=cuda", "#op=ridge&state=failed"])
def test_a_phone(page, more):
    b = page(more, width=375, height=667, phone=True)
    assert b.value("[innerWidth, document.scrollingElement.scrollWidth]") == [375, 375]
    small = b.value("""[...document.querySelectorAll("button, input, select, summary, .grid td")]
        .filter(e => e.checkVisibility()).filter(e => {
            const r = e.getBoundingClientRect();
            return r.width < 40 || r.height < 40;
        }).map(e => e.outerHTML)""")
    assert small == []
    if "cell" in more:
        assert b.value("panel.getBoundingClientRect().width") == 375
        assert b.value("document.querySelector('#panel-body').scrollWidth <= 375")
    elif "state" not in more:
        b.value("document.querySelector('#section-ops .scroll').scrollLeft = 300")
        assert b.value("document.querySelector('#ops tbody th').getBoundingClientRect().left") < 20  # it stays


def test_a_tap_on_a_phone(page):
    b = page(width=375, height=667, phone=True)
    b.click(BOX)
    assert is_open(b)


def test_hostile_results_are_text(page):
    b = page("#cell=ridge_solve/cpu/generic/default")
    assert LONG in b.value("document.querySelector('#panel').textContent")
    assert b.value("[typeof hacked, document.images.length, document.scripts.length]") == ["undefined", 0, 2]
    assert b.value("document.scrollingElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(page, scheme):
    """4.5 to 1 at least, by the formula of WCAG 2.1, for every text that is seen; 3 to 1 for edges of controls."""
    for more in ("", "#state=passed", "#cell=" + results.OPENED, "#cell=gemm_tn/cuda/sm90/default"):
        b = page(more, scheme=scheme)
        low = b.value("""(() => {
            const part = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
            const parse = (text) => text.match(/[\\d.]+/g).map(Number);
            const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
            const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            const behind = (e) => { for (; e; e = e.parentElement) {
                const c = parse(getComputedStyle(e).backgroundColor);
                if (c.length === 3 || c[3] === 1) return light(c);
            } };
            const found = [];
            for (const e of document.querySelectorAll("body *")) {
                const style = getComputedStyle(e);
                const texts = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
                if (!e.checkVisibility() || e.closest("script")) continue;
                if (panel.open && !panel.contains(e)) continue;
                const text = ratio(light(parse(style.color)), behind(e));
                if ((texts || e.matches("input, select")) && text < 4.5) found.push([e.outerHTML.slice(0, 99), text]);
                if (e.matches("input, select, button")) {
                    const edge = ratio(light(parse(style.borderTopColor)), behind(e.parentElement));
                    if (edge < 3) found.push([e.outerHTML.slice(0, 99), edge]);
                }
            }
            return found;
        })()""")
        assert low == []


def test_colour_is_never_alone(page):
    """Boxes of different states differ in their words."""
    b = page()
    words = b.value("""[...document.querySelectorAll("td")].map(d =>
        [d.dataset.state, d.dataset.proof || "", d.querySelector(".state").innerText.split(" ")[0],
         d.querySelector(".proof")?.innerText || ""])""")
    for state, word in ((0, 2), (1, 3)):
        pairs = {(w[state], w[word]) for w in words}
        assert len(pairs) == len({s for s, _ in pairs}) == len({w for _, w in pairs}), pairs


def test_on_paper(page):
    b = page()
    pdf = b.pdf()
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    assert 1 <= len(boxes) <= 4 and all(float(w) > float(h) for w, h in boxes), boxes
    b.screen(1054, 300)  # A4 landscape without the margins, at 96 dots an inch; low, so that nothing may be cut off
    b.call("Emulation.setEmulatedMedia", media="print")
    assert b.value("""[...document.querySelectorAll("#filters, #help, #panel, summary")]
        .every(e => !e.checkVisibility())""")
    assert b.value("document.querySelector('.legend li').checkVisibility()")
    assert b.value("""[...document.querySelectorAll("td, th")].filter(e => {
        const r = e.getBoundingClientRect();
        return r.width > 0 && (r.right > innerWidth || r.left < 0 || e.scrollWidth > e.clientWidth + 1);
    }).length""") == 0
    assert b.value("""[...document.querySelectorAll(".scroll")].every(e => e.scrollHeight <= e.clientHeight + 1)""")
    b.call("Emulation.setEmulatedMedia", media="")


def test_without_a_script(page, browser):
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        b = page()
        assert b.value("document.querySelector('table').getAttribute('role')") is None
        assert b.value("document.querySelector('#filters').checkVisibility()") is False
        text = b.value("document.querySelector('main').innerText")
        for word in ("What the signs mean", "gemm_tn", "sm90a", "failed", "→"):
            assert word in text
        assert b.value("document.querySelector('#panel').checkVisibility()") is False
    finally:
        browser.call("Emulation.setScriptExecutionDisabled", value=False)


def test_the_policy_holds(browser, address):
    """A script, a style and a picture that somebody has put into the page do nothing, and ask for nothing."""
    browser.load(address)
    browser.complaints.clear()
    browser.value("""(() => {
        const script = document.createElement("script");
        script.textContent = "window.hacked = 1";
        const image = document.createElement("img");
        image.src = "file:///etc/hostname";
        const sheet = document.createElement("style");
        sheet.textContent = "body { color: rgb(1, 2, 3) }";
        document.body.append(script, image, sheet);
    })()""")
    assert browser.value("typeof hacked") == "undefined"
    assert browser.value("getComputedStyle(document.body).color") != "rgb(1, 2, 3)"
    refused = [c["entry"]["text"] for c in browser.complaints]
    for directive in ("script-src", "style-src", "default-src"):
        assert any(directive in text for text in refused), directive
