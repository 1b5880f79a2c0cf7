"""Opens the pages of `graph_gallery` in a headless Chromium and uses them as a person would.

usage: page_test.py GRAPH_GALLERY [TEST…]
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

from webdriver import Browser

GALLERY = sys.argv.pop(1) if len(sys.argv) > 1 else sys.exit(__doc__)
ENTER, ESCAPE, RIGHT, LEFT, HOME = "\ue007", "\ue00c", "\ue014", "\ue012", "\ue011"
LOAD_LIMIT_MS = 15000  # generous: the machine of a test may be busy


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        subprocess.run([GALLERY, cls.folder.name], check=True)
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def open(self, name):
        self.browser.open("about:blank")
        self.browser.open((pathlib.Path(self.folder.name) / f"{name}.html").as_uri())

    def tearDown(self):
        self.assertEqual(self.browser.console(), [], "the page wrote to the console")

    def js(self, expression, *arguments):
        return self.browser.run(f"return {expression};", *arguments)

    def cards(self):
        return self.js("Array.from(document.querySelectorAll('#nodes .node'), card => Number(card.dataset.id)).sort((a, b) => a - b)")

    def text(self, selector):
        return self.js("document.querySelector(arguments[0]).innerText", selector)

    def section(self, name):
        return self.text(f"#pane section[aria-label^='{name}']")

    def zoom(self):
        return float(self.text("#zoom").rstrip("%"))

    def box(self, selector):
        return self.js("(({x, y, width, height}) => ({x, y, width, height}))(document.querySelector(arguments[0]).getBoundingClientRect())",
                       selector)

    def middle(self, selector):
        box = self.box(selector)
        return {"x": round(box["x"] + box["width"] / 2), "y": round(box["y"] + box["height"] / 2)}

    def press(self, keys):
        """Types into whatever has the focus."""
        self.browser.act({"type": "key", "id": "keys", "actions": [
            {"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]})

    def click_at(self, point):
        self.browser.act({"type": "pointer", "id": "mouse", "actions": [
            {"type": "pointerMove", "duration": 0, **point}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]})

    def test_draws_every_state_and_step_of_a_small_tree(self):
        self.open("atm")
        self.browser.click("#fit")
        self.assertEqual(self.cards(), list(range(9)))
        self.assertEqual(self.js("document.querySelectorAll('#edges .edge').length"), 8 + 1)
        self.assertIn("Withdrawal?(amount#1)", self.js("document.getElementById('edges').textContent"))
        self.assertEqual(self.text("#status"), "9 states")
        boxes = self.js("Array.from(document.querySelectorAll('#nodes .card'), card => card.getBoundingClientRect().toJSON())")
        for i, a in enumerate(boxes):
            for b in boxes[:i]:
                self.assertTrue(a["right"] <= b["left"] or b["right"] <= a["left"] or
                                a["bottom"] <= b["top"] or b["bottom"] <= a["top"], f"two cards overlap: {a} {b}")

    def test_shows_facts_and_which_limit_stopped_it(self):
        self.open("atm")
        self.assertIn("depth 5", self.text("#verdict"))
        self.assertIn("depth 5", self.section("How it ended"))
        self.assertRegex(self.section("Facts"), r"solver queries\s+31")
        self.open("light")
        self.assertEqual(self.text("#verdict"), "complete")

    def test_shows_a_state_in_full(self):
        self.open("atm")
        self.browser.click("#fit")
        self.click_at(self.middle("#state-2 .card"))
        self.assertEqual(self.text("#pane h2"), "Idle #2")
        self.assertRegex(self.section("Store"), r"balance\s+balance#0 - amount#1\s+balance#0\s+requested\s+amount#1")
        self.assertEqual(self.section("Path condition").split("\n")[1:], ["balance#0 > 0", "amount#1 > 0", "amount#1 <= balance#0"])
        self.assertEqual(self.js("document.querySelector('[aria-label=\"Path condition\"] .fresh').innerText"), "amount#1 <= balance#0")
        self.assertIn("t >= 0", self.section("Time"))
        self.assertIn("DispenseCash!(amount#1)", self.section("Steps in"))
        self.assertIn("when requested <= balance", self.section("Steps in"))
        self.assertIn("quiescent", self.text(".badges"))
        self.assertIn("selected", self.js("document.getElementById('state-2').getAttribute('class')"))

    def test_steps_and_covering_links_lead_to_states(self):
        self.open("atm")
        self.browser.click("#fit")
        self.click_at(self.middle("#state-3 .card"))
        self.browser.click("[aria-label='Steps out'] button")
        self.assertEqual(self.text("#pane h2"), "Idle #5")
        self.assertIn("covered", self.text(".badges"))
        self.browser.click("[aria-label='Covered by'] button")
        self.assertEqual(self.text("#pane h2"), "Idle #0")
        self.browser.click("[aria-label='Covers'] button")
        self.assertEqual(self.text("#pane h2"), "Idle #5")
        self.browser.click("[aria-label='Steps in'] button")
        self.assertEqual(self.text("#pane h2"), "Print #3")
        self.assertIn("solver could not tell", self.text(".badges"))

    def test_collapse_hides_what_is_below_and_expand_brings_it_back(self):
        self.open("atm")
        self.browser.click("#fit")
        self.click_at(self.middle("[data-fold='2'] circle"))
        self.assertEqual(self.cards(), [0, 1, 2, 3, 5, 8])
        self.assertEqual(self.text("#status"), "6 of 9 states shown")
        self.assertEqual(self.js("document.getElementById('state-2').getAttribute('aria-expanded')"), "false")
        self.click_at(self.middle("[data-fold='2'] circle"))
        self.assertEqual(self.cards(), list(range(9)))

    def test_the_state_that_is_folded_stays_under_the_pointer(self):
        self.open("large_tree")
        self.js("location.hash = '#1'")
        before, gap = self.box("#state-1 .card"), "nodes[1].y - nodes[0].y"
        distance = self.js(gap)
        self.click_at(self.middle("[data-fold='1'] circle"))
        self.assertNotEqual(self.js(gap), distance, "the layout did not change: nothing was tested")
        after = self.box("#state-1 .card")
        self.assertAlmostEqual(before["x"], after["x"], delta=1)
        self.assertAlmostEqual(before["y"], after["y"], delta=1)

    def test_zooms_by_wheel_buttons_keys_and_pinch(self):
        self.open("light")
        before = self.zoom()
        point = self.middle("#state-1 .card")
        self.browser.act({"type": "wheel", "id": "wheel", "actions": [
            {"type": "scroll", "duration": 0, "deltaX": 0, "deltaY": -300, **point}]})
        wheeled = self.zoom()
        self.assertGreater(wheeled, before * 1.3)
        now = self.middle("#state-1 .card")
        self.assertAlmostEqual(now["x"], point["x"], delta=3, msg="what is under the wheel stays there")
        self.assertAlmostEqual(now["y"], point["y"], delta=3, msg="what is under the wheel stays there")
        self.browser.click("#zoom-out")
        self.assertLess(self.zoom(), wheeled)
        out = self.zoom()
        self.js("document.getElementById('picture').focus()")
        self.press("+")
        self.assertGreater(self.zoom(), out)
        self.press("0")
        fitted = self.zoom()
        fingers = [{"type": "pointer", "id": f"finger{side}", "parameters": {"pointerType": "touch"}, "actions": [
            {"type": "pointerMove", "duration": 0, "x": 500 + side * 40, "y": 600}, {"type": "pointerDown", "button": 0},
            {"type": "pointerMove", "duration": 100, "x": 500 + side * 120, "y": 600}, {"type": "pointerUp", "button": 0}]}
            for side in (-1, 1)]
        self.browser.act(*fingers)
        self.assertGreater(self.zoom(), fitted * 1.5)

    def test_drags_the_picture(self):
        self.open("light")
        before = self.box("#state-0 .card")
        self.browser.act({"type": "pointer", "id": "mouse", "actions": [
            {"type": "pointerMove", "duration": 0, "x": 300, "y": 650}, {"type": "pointerDown", "button": 0},
            {"type": "pointerMove", "duration": 50, "x": 370, "y": 600}, {"type": "pointerUp", "button": 0}]})
        after = self.box("#state-0 .card")
        self.assertAlmostEqual(after["x"] - before["x"], 70, delta=2)
        self.assertAlmostEqual(after["y"] - before["y"], -50, delta=2)

    def test_moves_by_keys_and_tells_assistive_tools(self):
        self.open("atm")
        self.js("document.getElementById('picture').focus()")
        self.press(RIGHT)
        self.assertEqual(self.js("document.getElementById('picture').getAttribute('aria-activedescendant')"), "state-0")
        self.press([RIGHT, RIGHT])
        self.assertEqual(self.text("#pane h2"), "Idle #2")
        self.assertEqual(self.js("document.getElementById('state-2').getAttribute('aria-selected')"), "true")
        self.assertIn("balance = balance#0 - amount#1", self.js("document.getElementById('state-2').getAttribute('aria-label')"))
        self.press(" ")
        self.assertNotIn(4, self.cards())
        self.press(LEFT)
        self.assertEqual(self.text("#pane h2"), "Verify #1")
        self.press(ESCAPE)
        self.assertEqual(self.text("#pane h2"), "Overview")
        unnamed = self.js("Array.from(document.querySelectorAll('button, input, select')).filter("
                          "e => !(e.innerText || e.getAttribute('aria-label') || '').trim()).length")
        self.assertEqual(unnamed, 0)

    def test_a_graph_has_all_its_steps_each_at_its_place(self):
        self.open("light")
        self.assertEqual(self.cards(), list(range(8)))
        self.assertEqual(self.js("document.querySelectorAll('#edges .edge').length"), 14)
        for label in ("bright!", "dazzle!", "blink"):
            self.assertIn(label, self.js("document.getElementById('edges').textContent"))
        self.browser.click("#links")
        self.assertEqual(self.js("document.querySelectorAll('#edges .edge.back').length"), 0)

    def test_a_large_tree_loads_quickly_and_starts_folded(self):
        self.open("large_tree")
        self.assertLess(self.js("performance.getEntriesByType('navigation')[0].loadEventEnd"), LOAD_LIMIT_MS)
        self.assertGreater(len(self.cards()), 5)
        self.assertRegex(self.text("#status"), r"^\d+ of 5,000 states shown$")

    def test_search_finds_jumps_and_selects_in_a_large_tree(self):
        self.open("large_tree")
        self.press("/")
        self.press("turn=4321")
        self.assertEqual(self.text("#hits"), "1 hit")
        self.press(ENTER)
        self.assertEqual(self.text("#hits"), "1 of 1")
        self.assertEqual(self.text("#pane h2"), "Verify #4321")
        card, stage = self.box("#state-4321 .card"), self.box("#picture")
        self.assertTrue(stage["x"] < card["x"] and card["x"] + card["width"] < stage["x"] + stage["width"])
        self.assertTrue(stage["y"] < card["y"] and card["y"] + card["height"] < stage["y"] + stage["height"])

    def test_search_looks_where_it_is_told_and_goes_round(self):
        self.open("atm")
        self.js("document.getElementById('scope').value = 'step'")
        self.browser.type("#query", "dispensecash")
        self.assertEqual(self.text("#hits"), "2 hits")
        found = []
        for _ in range(3):
            self.press(ENTER)
            found.append(self.text("#pane h2"))
        self.assertEqual(found, ["Idle #2", "Idle #6", "Idle #2"])
        self.browser.click("#previous")
        self.assertEqual(self.text("#pane h2"), "Idle #6")
        self.browser.type("#query", "nowhere")
        self.assertEqual(self.text("#hits"), "no hit")

    def test_five_thousand_states_at_once_stay_usable(self):
        for name in ("large_tree", "large_graph"):
            with self.subTest(name):
                self.open(name)
                self.browser.click("#expand-all")
                self.browser.click("#fit")
                self.assertEqual(self.text("#status"), "5,000 states")
                self.assertLess(self.js("document.querySelectorAll('#picture *').length"), 500, "more is in the page than can be seen")
                shapes = self.js("Array.from(document.querySelectorAll('#nodes path.shape'), p => p.getAttribute('d').split('M').length - 1)"
                                 ".reduce((sum, n) => sum + n, 0)")
                self.assertEqual(shapes, 5000)
                world, stage = self.box("#nodes"), self.box("#picture")
                self.assertLessEqual(world["width"], stage["width"])
                self.assertLessEqual(world["height"], stage["height"])
                self.assertGreater(world["width"] * world["height"], .2 * stage["width"] * stage["height"])
                self.click_at(self.middle("#picture"))
                self.js("document.getElementById('picture').focus()")
                self.press([HOME, " "])
                self.assertRegex(self.text("#status"), r"^1 of 5,000")

    def test_a_state_with_thousands_of_steps_stays_usable(self):
        self.open("star")
        self.assertLess(self.js("performance.getEntriesByType('navigation')[0].loadEventEnd"), LOAD_LIMIT_MS)
        self.assertIn(0, self.cards())
        self.assertLess(self.js("document.querySelectorAll('#edges .edge').length"), 500)
        self.click_at(self.middle("#state-0 .card"))
        self.assertEqual(self.js("document.querySelectorAll('[aria-label=\"Steps out\"] .step').length"), 40)
        self.browser.click("[aria-label='Steps out'] > div > button")
        self.assertEqual(self.js("document.querySelectorAll('[aria-label=\"Steps out\"] .step').length"), 4999)

    def test_the_map_in_the_corner_moves_the_view(self):
        self.open("large_tree")
        self.browser.click("#expand-all")
        corner = self.box("#map")
        self.click_at({"x": round(corner["x"] + corner["width"] - 8), "y": round(corner["y"] + 20)})
        self.assertGreater(len(self.cards()), 1)
        self.assertNotIn(0, self.cards())

    def test_keys_fold_and_unfold_all_below(self):
        self.open("atm")
        self.browser.click("#fit")
        self.click_at(self.middle("#state-1 .card"))
        self.js("document.getElementById('picture').focus()")
        self.press("c")
        self.assertEqual(self.cards(), [0, 1])
        self.press(" ")
        self.assertEqual(self.cards(), [0, 1, 2, 3, 8], "what is below was folded too")
        self.press("e")
        self.assertEqual(self.text("#status"), "9 states")

    def test_a_state_is_named_by_the_address(self):
        self.open("large_graph")
        self.js("location.hash = '#777'")
        self.assertTrue(self.text("#pane h2").endswith("#777"))
        self.assertIn(777, self.cards())

    def test_texts_of_the_model_stay_texts(self):
        self.open("hostile")
        self.assertTrue(self.js("document.title").startswith("</script><script>document.title='broken'"))
        self.assertEqual(self.js("document.scripts.length"), 2)
        self.click_at(self.middle("#state-0 .card"))
        self.assertIn("</script><script>document.title='broken'</script>\"'&amp;\\n{{graph}}<!--", self.section("Store").replace("\n", ""))

    def test_one_state_and_none_are_pictures_too(self):
        self.open("single")
        self.assertEqual(self.cards(), [0])
        self.open("empty")
        self.assertEqual(self.cards(), [])
        self.assertEqual(self.text("#status"), "0 states")

    def test_follows_the_colour_scheme_of_the_reader(self):
        def ground():
            return sum(int(part) for part in self.js("getComputedStyle(document.body).backgroundColor.match(/\\d+/g)"))
        for scheme, dark in (("dark", True), ("light", False)):
            self.browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            self.open("atm")
            self.assertEqual(ground() < 300, dark)
        self.browser.click("#scheme")
        self.assertLess(ground(), 300)


if __name__ == "__main__":
    unittest.main(verbosity=2)
