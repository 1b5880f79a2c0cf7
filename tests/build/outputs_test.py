#!/usr/bin/env python3
"""How the compiler behaves in a build: outputs_test.py TIOC SOURCE_DIR"""
import os, subprocess, sys, tempfile, unittest
from split import split

TIOC, SOURCE = (os.path.abspath(path) for path in sys.argv[1:3])


class Outputs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        with open(f"{SOURCE}/examples/cmake_project/lamp.tio", encoding="utf-8") as file:
            lamp, signals = split(file.read())
        self.write("lamp.tio", lamp)
        self.write("signals.tio", signals)

    def write(self, name, text):
        with open(f"{self.folder}/{name}", "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(f"{self.folder}/{name}", "rb") as file:
            return file.read()

    def tioc(self, *arguments, code=0, stdin=None):
        done = subprocess.run([TIOC, *arguments], cwd=self.folder, input=stdin, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout

    def files(self, below="out"):
        return {os.path.relpath(os.path.join(where, name), self.folder): os.stat(os.path.join(where, name)).st_mtime_ns
                for where, _, names in os.walk(f"{self.folder}/{below}") for name in names}

    def test_a_model_alone_is_generated_from(self):
        self.tioc("lamp.tio", "-o", "short")
        self.tioc("gen", "lamp.tio", "-o", "long")
        self.assertEqual(self.read("short/Regression.json"), self.read("long/Regression.json"))

    def test_the_listed_outputs_are_those_that_are_written(self):
        for parts in ("1", "0", "200"):
            options = ("lamp.tio", "--emit", "json,ttcn3,cpp", "-o", f"out{parts}", "--cases-per-file", parts)
            listed = self.tioc(*options, "--list-outputs").splitlines()
            self.assertFalse(os.path.exists(f"{self.folder}/out{parts}"), "listing writes nothing")
            self.tioc(*options)
            self.assertEqual(sorted(listed), sorted(self.files(f"out{parts}")))

    def test_a_rule_names_every_file_that_was_read(self):
        self.tioc("lamp.tio", "-o", "out", "-MD")
        self.assertEqual(self.read("out/lamp.d").decode(), "out/Regression.json: \\\n  lamp.tio \\\n  signals.tio\n")
        self.tioc("lamp.tio", "-o", "out", "-MF", "the rule.d", "--stamp", "out/my stamp")
        self.assertEqual(self.read("the rule.d").decode(), "out/my\\ stamp: \\\n  lamp.tio \\\n  signals.tio\n")

    def test_nothing_is_touched_when_nothing_changed_but_the_stamp(self):
        options = ("lamp.tio", "--emit", "json,ttcn3,cpp", "-o", "out", "--stamp", "out/stamp")
        self.tioc(*options)
        before = self.files()
        self.tioc(*options)
        after = self.files()
        self.assertEqual({name for name in after if after[name] != before[name]}, {"out/stamp"})
        self.write("lamp.tio", self.read("lamp.tio").decode().replace("t <= 2", "t <= 3"))
        self.tioc(*options)
        changed = {name for name, time in self.files().items() if time != after[name]}
        self.assertIn("out/Regression.json", changed)
        self.assertNotIn("out/cpp/tioc_test.hpp", changed)

    def test_files_of_the_user_stay(self):
        self.tioc("lamp.tio", "--emit", "ttcn3,cpp", "-o", "out")
        for name in ("ttcn3/TioPort.cc", "ttcn3/Regression.cfg", "cpp/Regression_main.cpp"):
            self.write(f"out/{name}", "mine")
        self.tioc("lamp.tio", "--emit", "ttcn3,cpp", "-o", "out")
        for name in ("ttcn3/TioPort.cc", "ttcn3/Regression.cfg", "cpp/Regression_main.cpp"):
            self.assertEqual(self.read(f"out/{name}"), b"mine")

    def test_the_same_model_gives_the_same_bytes(self):
        for name in ("out1", "out2"):
            self.tioc("lamp.tio", "--emit", "json,ttcn3,cpp", "-o", name, "--random", "5", "--seed", "3")
        for name in self.files("out1"):
            self.assertEqual(self.read(name), self.read(name.replace("out1", "out2")))

    def test_standard_input_is_a_model(self):
        text = self.read("lamp.tio").decode()
        self.tioc("-", "-o", "out", "-MD", stdin=text)
        self.assertEqual(self.read("out/stdin.d").decode(), "out/Regression.json: \\\n  ./signals.tio\n".replace("./", ""))

    def test_a_model_with_errors_leaves_everything_as_it_was(self):
        self.tioc("lamp.tio", "-o", "out", "--stamp", "out/stamp")
        before = self.files()
        self.write("signals.tio", "module signals; input press;")
        self.tioc("lamp.tio", "-o", "out", "--stamp", "out/stamp", code=1)
        self.assertEqual(self.files(), before)

    def test_what_cannot_be_written_is_said(self):
        self.write("out", "a file where the folder should be")
        self.tioc("lamp.tio", "-o", "out", code=2)
        self.tioc("lamp.tio", "-o", "other", "--stamp", "nowhere/stamp", code=2)


unittest.main(argv=sys.argv[:1])
