# SPDX-License-Identifier: Apache-2.0
"""The page of `tenon explain --html` in a real browser, without a window: what it shows, to whom."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.program import BUILD, NETWORKS, tenon

NETWORK = NETWORKS / "resnet8_int8.tflite"
#: Three owners and a backend at fault, so that the page has something of everything.
OPTIONS = ["--target", "bad:takesAlone throws,alpha:ADD+max=9000,host"]
PLUGINS = [f"--plugin={BUILD}/lib/toy_alpha.so", f"--plugin={BUILD}/lib/plugin_bad.so"]

EVIL = '</bdi><script>document.title=1</script><img src=x onerror=document.title=2>\\"&'
GRAPH = """
func.func @main(%x: tensor<1x4xi32> {tenon.name = "x", tenon.element = "int32"})
    -> (tensor<1x4xi32> {tenon.name = "y"}) {
  %0 = tosa.add %x, %x : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32> loc("NAME"("ADD":0:0))
  %1 = tosa.clz %0 : (tensor<1x4xi32>) -> tensor<1x4xi32> loc("b"("<b>CLZ</b>":1:0))
  return %1 : tensor<1x4xi32>
}
"""


def log_of(browser: webdriver.Chrome, kind: str) -> list[Any]:
    """What the browser noted since it was asked last; selenium gives this call no type."""
    entries: list[Any] = browser.get_log(kind)  # type: ignore[no-untyped-call]
    return entries


@pytest.fixture(scope="module")
def browser() -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for argument in ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(executable_path=shutil.which("chromedriver"))
    driver = webdriver.Chrome(options=options, service=service)
    driver.set_window_size(1200, 900)
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "page.html"
    result = tenon("explain", NETWORK, *OPTIONS, *PLUGINS, "--html", path)
    assert result.code == 0, result.err
    assert str(path) in result.out
    return path


@pytest.fixture
def opened(browser: webdriver.Chrome, page: Path) -> webdriver.Chrome:
    browser.get("about:blank")
    log_of(browser, "performance")
    browser.get(page.as_uri())
    return browser


def test_shows_each_operator_once_in_graph_and_table(opened: webdriver.Chrome) -> None:
    report = tenon("explain", NETWORK, *OPTIONS, *PLUGINS, "--json").json()
    nodes = opened.find_elements(By.CSS_SELECTOR, ".node")
    assert len(nodes) == len(report["operators"]) == 16
    edges = sum(len(op["inputs"]) for op in report["operators"])
    assert len(opened.find_elements(By.CSS_SELECTOR, "svg path")) == edges == 18
    for op, node in zip(report["operators"], nodes, strict=True):
        assert node.text.startswith(f"{op['index']} {op['type']}\n{op['target']}, partition")
        row = opened.find_element(By.ID, f"op{op['index']}").text
        assert op["name"].split(";")[0] in row
        for refusal in op["refusals"]:
            assert refusal["rule"] in row and refusal["remedy"] in row
    assert 'takesAlone threw "no' in opened.find_element(By.CSS_SELECTOR, ".faults").text
    rules = opened.find_element(By.CSS_SELECTOR, "tbody").text
    assert all(rule["text"] in rules for rule in report["summary"]["rules"])


def test_partitions_have_their_colours(opened: webdriver.Chrome) -> None:
    colours: dict[str, set[str]] = {}
    for node in opened.find_elements(By.CSS_SELECTOR, ".node"):
        where = node.find_element(By.CSS_SELECTOR, "i").text
        colours.setdefault(where, set()).add(node.value_of_css_property("background-color"))
    assert all(len(of_one) == 1 for of_one in colours.values())
    ordered = [
        colours[f"{target}, partition {i}"].pop()
        for i, target in enumerate(["host", "alpha", "host", "alpha", "host"])
    ]
    assert all(a != b for a, b in pairwise(ordered))
    assert len(set(ordered[:4])) == 4


def test_reasons_on_hover_and_on_focus(opened: webdriver.Chrome) -> None:
    node = opened.find_elements(By.CSS_SELECTOR, ".node")[3]
    tip = node.find_element(By.CSS_SELECTOR, ".tip")
    assert not tip.is_displayed()
    webdriver.ActionChains(opened).move_to_element(node).perform()
    assert tip.is_displayed()
    assert "Not on alpha: 16384 elements exceed 9000 (alpha.elements); use 9000" in tip.text

    opened.get(opened.current_url)
    for _ in range(100):
        opened.switch_to.active_element.send_keys(Keys.TAB)
        focused = opened.switch_to.active_element
        if focused.get_attribute("class") and "node" in str(focused.get_attribute("class")):
            break
    assert focused.text.startswith("0 CONV_2D")
    assert focused.find_element(By.CSS_SELECTOR, ".tip").is_displayed()
    focused.send_keys(Keys.ENTER)
    assert opened.current_url.endswith("#op0")


def test_needs_nothing_else(opened: webdriver.Chrome, page: Path) -> None:
    asked = re.findall(r'"url":"([a-z]+:[^"]*)"', str(log_of(opened, "performance")))
    assert asked and set(asked) <= {page.as_uri(), "about:blank"}
    assert log_of(opened, "browser") == []
    assert not re.search(r"https?:|<script|url\(|@import", page.read_text())


def luminance(colour: str) -> float:
    channels = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


#: Each class of a partition's colour, whether this page uses it or not.
SHADES = [hue + shade for hue in "habcde" for shade in "01"]

COLOURS_OF = """
const own = getComputedStyle(document.body), all = {page: [own.color, own.backgroundColor]};
for (const shade of arguments[0]) {
  const box = document.createElement("a");
  box.className = "node " + shade;
  document.body.append(box);
  const style = getComputedStyle(box);
  all[shade] = [style.color, style.backgroundColor];
  box.remove();
}
const soft = getComputedStyle(document.querySelector(".soft"));
all.soft = [soft.color, own.backgroundColor];
return all;
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_is_readable_in_light_and_in_dark(opened: webdriver.Chrome, scheme: str) -> None:
    media: dict[str, Any] = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    opened.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    colours = opened.execute_script(COLOURS_OF, SHADES)
    assert (luminance(colours["page"][1]) > 0.5) == (scheme == "light")
    assert {name: pair for name, pair in colours.items() if contrast(*pair) < 7} == {}


def test_is_marked_up_for_screen_readers(opened: webdriver.Chrome) -> None:
    assert opened.find_element(By.TAG_NAME, "html").get_attribute("lang") == "en"
    assert len(opened.find_elements(By.TAG_NAME, "h1")) == 1
    assert len(opened.find_elements(By.TAG_NAME, "main")) == 1
    for table in opened.find_elements(By.TAG_NAME, "table"):
        assert table.find_elements(By.CSS_SELECTOR, "thead th[scope=col]")
        assert table.find_elements(By.CSS_SELECTOR, "tbody th[scope=row]")
    for node in opened.find_elements(By.CSS_SELECTOR, ".node")[:2]:
        assert "CONV_2D host" in node.accessible_name
        described = opened.find_element(By.ID, str(node.get_attribute("aria-describedby")))
        assert "Not on alpha" in str(described.get_attribute("textContent"))
    opened.set_window_size(500, 900)  # a narrow window scrolls its tables, not the page
    wide = opened.execute_script("return document.documentElement.scrollWidth")
    inner = opened.execute_script("return document.documentElement.clientWidth")
    opened.set_window_size(1200, 900)
    assert wide <= inner


def test_names_from_a_file_stay_text(browser: webdriver.Chrome, tmp_path: Path) -> None:
    model, page = tmp_path / "a&<i>b.mlir", tmp_path / "page.html"
    model.write_text(GRAPH.replace("NAME", EVIL))
    assert tenon("explain", model, "--target", "host", "--html", page).code == 0
    browser.get(page.as_uri())
    assert browser.title == "a&<i>b.mlir: what runs where"
    assert browser.find_elements(By.CSS_SELECTOR, "script, img, i i, td b") == []
    row = browser.find_element(By.ID, "op0").text
    assert EVIL.replace("\\", "") in row
    assert "<b>CLZ</b>" in browser.find_element(By.ID, "op1").text
    # Should a name get through all the same, the page forbids its script.
    browser.execute_script(
        "const s = document.createElement('script'); s.textContent = 'document.title = 3';"
        "document.body.append(s)"
    )
    assert browser.title == "a&<i>b.mlir: what runs where"


def test_a_page_that_cannot_be_written() -> None:
    result = tenon("explain", NETWORK, "--target", "host", "--html", "/nowhere/page.html")
    assert result.code == 1
    assert "/nowhere/page.html" in result.reason
