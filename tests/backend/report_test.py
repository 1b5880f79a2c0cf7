"""Opens the reports of `report_gallery` in a headless Chromium and uses them as a person would.

usage: report_test.py REPORT_GALLERY [TEST…]
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

from webdriver import Browser

GALLERY = sys.argv.pop(1) if len(sys.argv) > 1 else sys.exit(__doc__)
ENTER, ESCAPE, DOWN, UP, TAB = "\ue007", "\ue00c", "\ue015", "\ue013", "\ue004"


class ReportTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        subprocess.run([GALLERY, cls.folder.name], check=True)
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def open(self, name, anchor=""):
        self.browser.open("about:blank")
        self.browser.open((pathlib.Path(self.folder.name) / f"{name}.html").as_uri() + anchor)

    def tearDown(self):
        self.assertEqual(self.browser.console(), [], "the page wrote to the console")

    def js(self, expression, *arguments):
        return self.browser.run(f"return {expression};", *arguments)

    def text(self, selector):
        return self.js("document.querySelector(arguments[0]).innerText", selector)

    def texts(self, selector):
        return self.js("Array.from(document.querySelectorAll(arguments[0]), one => one.innerText ?? one.textContent)", selector)

    def press(self, keys):
        self.browser.act({"type": "key", "id": "keys", "actions": [
            {"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]})

    def statuses(self):
        """What became of each edge, by its label."""
        return dict(self.js("Array.from(document.querySelectorAll('#drawing .edge'), edge =>"
                            " [edge.querySelector('text').textContent, edge.getAttribute('class').split(' ')[1]])"))

    def test_draws_what_the_suite_covers_on_the_automaton(self):
        self.open("suite")
        self.assertEqual(self.statuses(), {"Withdrawal?": "covered", "DispenseCash!": "covered", "InsufficientFunds!": "missed",
                                           "PrintBalance!": "missed"})
        self.assertEqual(sorted(self.texts("#drawing .state text")), ["Idle", "Print", "Verify"])
        self.assertEqual(self.js("document.querySelectorAll('#drawing .state.covered').length"), 2)
        self.assertEqual(self.text("#counts"), "2 of 4 edges and 2 of 3 states covered; 1 test.")
        self.assertIn("not part of the purpose", self.text("#missed"))
        cards = self.js("Array.from(document.querySelectorAll('#drawing .card'), card => card.getBoundingClientRect().toJSON())")
        for i, a in enumerate(cards):
            for b in cards[:i]:
                self.assertTrue(a["right"] <= b["left"] or b["right"] <= a["left"] or a["bottom"] <= b["top"] or b["bottom"] <= a["top"])

    def test_the_table_says_the_same_as_the_drawing(self):
        self.open("suite")
        rows = self.texts(".edge-row")
        self.assertEqual(len(rows), 4)
        self.assertRegex(rows[0], r"Atm: Idle -> Verify by Withdrawal\?\s+covered by a test\s+1\s+atm.tio:10:1")
        self.assertRegex(rows[3], r"PrintBalance!\s+not covered\s+0\s+atm.tio:50:1")

    def test_draws_what_a_run_passed_over(self):
        self.open("failed")
        self.assertEqual(self.statuses(), {"Withdrawal?": "covered", "DispenseCash!": "idle", "InsufficientFunds!": "missed",
                                           "PrintBalance!": "missed"})
        self.assertIn("1 of 4 edges", self.text("#counts"))
        self.open("passed")
        self.assertEqual(self.statuses()["DispenseCash!"], "covered")

    def test_shows_a_test_with_its_time_windows(self):
        self.open("suite")
        self.browser.click("[data-test='Success']")
        rows = self.texts(".sequence > li")
        self.assertIn("Withdrawal(100)", rows[1])
        self.assertIn("until sent + 10", rows[2].replace(".0", ""))
        self.assertRegex(rows[3].replace(".0", ""), r"\[sent, sent \+ 10\][\s\S]*DispenseCash\(amount\)[\s\S]*when amount == 100[\s\S]*pass")
        self.assertRegex(rows[4].replace(".0", ""), r"\[sent, sent \+ 2\][\s\S]*InsufficientFunds[\s\S]*inconclusive")
        self.assertRegex(rows[5], r"nothing[\s\S]*fail\s*no answer within 10")
        self.assertEqual(self.texts(".taken"), [])

    def test_shows_why_a_run_failed_and_where(self):
        self.open("failed")
        self.assertEqual(self.text("#verdict"), "0 pass, 1 fail, 0 inconclusive")
        self.assertEqual(self.js("document.getElementById('verdict').className"), "fail")
        self.browser.click("[data-test='Success']")
        self.assertIn("DispenseCash(101) at 1.5 was not allowed", self.text(".reason"))
        self.assertEqual(len(self.texts(".taken")), 1)
        self.assertRegex(self.texts(".wrong")[0], r"at 1.5[\s\S]*DispenseCash\(101\)[\s\S]*fail")

    def test_shows_the_way_of_a_run_that_passed(self):
        self.open("passed", "#Success")
        taken = self.texts(".taken")
        self.assertEqual(len(taken), 2)
        self.assertIn("at 1.5: DispenseCash(100)", taken[1])
        self.assertEqual(self.texts(".wrong"), [])

    def plot(self, name):
        """The plot of a controller's run: by signal the corners of its trace in time, and its windows in words and time."""
        self.open(name, "#Lights")
        return self.js("""(() => {
          const at = time => Number(time.querySelector('line').getAttribute('x1'));
          const [first, second] = document.querySelectorAll('.signals .tick');
          const unit = (at(second) - at(first)) / Number(second.textContent);
          const toTime = x => Math.round((x - at(first)) / unit * 100) / 100;
          const rows = Array.from(document.querySelectorAll('.signals .signal'), row => [row.dataset.signal, {
            kind: row.getAttribute('class'),
            corners: Array.from(row.querySelector('.trace')?.getAttribute('d').matchAll(/[MH]([0-9.]+)/g) ?? [], m => toTime(Number(m[1]))),
            values: Array.from(row.querySelectorAll('.value'), one => one.textContent),
            windows: Array.from(row.querySelectorAll('.window'), one => [one.textContent, toTime(Number(one.getAttribute('x')) + 1.5),
              toTime(Number(one.getAttribute('x')) + Number(one.getAttribute('width')) - 1.5)]),
          }]);
          const wrong = document.querySelector('.signals line.wrong');
          return {rows: Object.fromEntries(rows), wrong: wrong && toTime(Number(wrong.getAttribute('x1')))};
        })()""")

    def test_plots_the_signals_of_a_controller_with_the_windows_of_their_changes(self):
        plot = self.plot("burner")
        rows = plot["rows"]
        self.assertEqual({name: row["kind"] for name, row in rows.items()},
                         {"enabled": "signal input", "mode": "signal input", "fan": "signal output", "valve": "signal output"})
        self.assertEqual((rows["mode"]["corners"][0], rows["mode"]["values"]), (0.5, ["full"]))
        self.assertEqual(rows["fan"]["values"], ["3"])
        self.assertEqual(rows["fan"]["windows"], [["fan: 3 expected in [0, given]", 0.5, 0.5]])
        self.assertEqual(rows["valve"]["corners"][:2], [0.5, 15.5])
        first, second = rows["valve"]["windows"]
        self.assertEqual(first[1:], [0.5, 0.5])
        self.assertRegex(second[0].replace(".0", ""), r"valve: true expected in \[blown \+ 15, blown \+ 16\]")
        self.assertEqual(second[1:], [15.5, 16.5])
        self.assertIsNone(plot["wrong"])

    def test_plots_where_a_change_came_too_early_or_not_at_all(self):
        early = self.plot("burner_early")
        self.assertEqual(early["wrong"], 9.5)
        self.assertEqual(early["rows"]["valve"]["corners"][1], 9.5)
        self.assertEqual(early["rows"]["valve"]["windows"][1][1:], [15.5, 16.5])
        silent = self.plot("burner_silent")
        self.assertIsNone(silent["wrong"])
        self.assertEqual(silent["rows"]["valve"]["windows"][1][1:], [15.5, 16.5])

    def test_plots_signals_of_controllers_only(self):
        self.open("passed", "#Success")
        self.assertEqual(self.js("document.querySelectorAll('.signals').length"), 0)

    def test_steps_of_a_long_test_lead_to_each_other(self):
        self.open("route", "#Drive")
        rows = self.texts(".sequence > li")
        self.assertTrue(any("goes on" in row for row in rows))
        self.assertTrue(any("step 2: wait" in row for row in rows))
        self.assertIn("no drawing", self.js("document.getElementById('drawing').textContent"))

    def test_an_edge_shows_the_tests_that_cover_it(self):
        self.open("suite")
        self.browser.click(".edge-row:nth-child(3) button")
        self.assertEqual(self.texts("#tests button"), [])
        self.assertIn("InsufficientFunds", self.text("#chosen"))
        self.browser.click("#clear")
        self.assertEqual(len(self.texts("#tests button")), 1)
        self.browser.click(".edge-row:nth-child(1) button")
        self.assertEqual(len(self.texts("#tests button")), 1)
        self.assertEqual(self.js("document.querySelectorAll('#drawing .chosen').length"), 1)

    def test_filters_by_verdict(self):
        self.open("failed")
        self.assertEqual(self.texts("#filters button"), ["1 fail"])
        self.browser.click("#filters button")
        self.assertEqual(self.js("document.querySelector('#filters button').getAttribute('aria-pressed')"), "true")
        self.assertEqual(len(self.texts("#tests button")), 1)

    def test_everything_is_reached_by_keys(self):
        self.open("large")
        self.js("document.querySelector('#tests button').focus()")
        self.press([DOWN, DOWN, UP, ENTER])
        self.assertEqual(self.text("#test h2"), "Success1")
        self.assertEqual(self.js("document.activeElement.dataset.test"), "Success1")
        self.press([ESCAPE])
        self.assertFalse(self.js("document.getElementById('coverage').hidden"))
        unreachable = self.js("Array.from(document.querySelectorAll('button')).filter(one => one.tabIndex < 0).length")
        self.assertEqual(unreachable, 0)

    def test_shows_five_thousand_tests_quickly(self):
        self.open("large")
        self.assertEqual(self.js("document.querySelectorAll('#tests button').length"), 5000)
        self.assertLess(self.js("performance.timing.loadEventEnd - performance.timing.navigationStart"), 15000)

    def test_model_texts_are_only_text(self):
        self.open("hostile", "#Success")
        self.assertNotEqual(self.js("document.title"), "evil")
        self.assertEqual(self.js("document.querySelectorAll('img').length"), 0)
        self.assertIn("{{runs}}", self.text("h1"))

    def test_light_and_dark(self):
        self.open("failed")
        for scheme in ("dark", "light"):
            self.browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            self.open("failed")
            self.assertEqual(self.js("document.documentElement.dataset.scheme"), scheme)
        before = self.js("getComputedStyle(document.body).backgroundColor")
        self.browser.click("#scheme")
        self.assertNotEqual(self.js("getComputedStyle(document.body).backgroundColor"), before)

    def test_loads_nothing_from_elsewhere(self):
        self.open("failed")
        self.assertEqual(self.js("performance.getEntriesByType('resource').length"), 0)

    def test_an_empty_suite_is_a_page_too(self):
        self.open("empty")
        self.assertEqual(self.text("#verdict"), "0 tests")


unittest.main()
