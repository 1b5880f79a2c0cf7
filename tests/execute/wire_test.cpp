#include "runtime/execute/wire.hpp"

#include "support/support.hpp"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

namespace tioc::execute::wire {
namespace {

using ir::Rational;

const ir::Model& model() {
  static const ir::Model result = test::compileOk(
      "module m; enum Color { red, green } record Point { x: int[0..9], c: Color }"
      "input go(n: int, r: real, b: bool, p: Point, a: int[2]); output done(n: int), quiet; inout both; internal "
      "secret;"
      "tiosts M { init S; state S { go?(n, r, b, p, a) -> S; done!(1) -> S; quiet! -> S; both! -> S; } }");
  return result;
}

std::string again(const std::string& text) {
  const Reading reading = read(model(), text);
  const auto* line = std::get_if<Line>(&reading);
  return line ? write(model(), *line) : "error: " + std::get<std::string>(reading);
}

TEST(Wire, ReadsWhatItWrites) {
  for (const char* text : {
           R"({"start":"tio/1","time":"virtual"})",
           R"({"start":"tio/1","time":"real","unit":"0.001"})",
           R"({"ready":"tio/1"})",
           R"({"input":"go","args":[7,"1/3",true,{"x":3,"c":"green"},[1,-2]],"at":"0.1"})",
           R"({"input":"go","args":["123456789012345678901234567890","0.25",false,{"x":0,"c":"red"},[0,0]]})",
           R"({"output":"done","args":[-9007199254740992],"at":"1/3"})",
           R"({"output":"quiet","args":[],"at":"0"})",
           R"({"output":"both","args":[]})",
           R"({"input":"both","args":[]})",
           R"({"advance":"2.5"})",
           R"({"now":"2.6"})",
           R"({"error":"out of paper"})",
       })
    EXPECT_EQ(again(text), text);
}

TEST(Wire, ReadsOtherWaysToWriteTheSame) {
  EXPECT_EQ(again(R"({"at": 2, "args": [10000000000000000000], "output": "done", "more": null})"),
            R"({"output":"done","args":["10000000000000000000"],"at":"2"})");
  EXPECT_EQ(again(R"({"output":"quiet"})"), R"({"output":"quiet","args":[]})");
  EXPECT_EQ(again(R"({"advance": 0.1})"), R"({"advance":"0.1"})"); // no digit is lost on the way
  EXPECT_EQ(again(R"({"advance": 0.1000000000000000000000001})"), R"({"advance":"0.1000000000000000000000001"})");
}

TEST(Wire, KeepsIntegersThatADoubleCannotHoldAsStrings) {
  const Line line = Message{true, ir::ChannelId(1), {{Rational(9007199254740993), {}}}, std::nullopt};
  ASSERT_EQ(model().channels[1].name, "done");
  EXPECT_EQ(write(model(), line), R"({"output":"done","args":["9007199254740993"]})");
}

TEST(Wire, SaysWhatIsWrongWithALine) {
  const auto wrong = [](const char* text) { return again(text); };
  EXPECT_EQ(wrong("hello"), "error: not JSON: trouble at character 1");
  EXPECT_EQ(wrong(""), "error: not JSON: trouble at character 1");
  EXPECT_EQ(wrong("[1]"), "error: not a JSON object");
  EXPECT_EQ(wrong("{}"), "error: none of start, ready, input, output, advance, now and error");
  EXPECT_EQ(wrong(R"({"output":"dnoe","args":[1]})"), R"(error: there is no output "dnoe")");
  EXPECT_EQ(wrong(R"({"output":7})"), "error: there is no output 7");
  EXPECT_EQ(wrong(R"({"output":"secret"})"), R"(error: there is no output "secret")");
  EXPECT_EQ(wrong(R"({"output":"go","args":[]})"), R"(error: there is no output "go")");
  EXPECT_EQ(wrong(R"({"output":"done","args":[]})"), "error: 'done' has 1 arguments, not 0");
  EXPECT_EQ(wrong(R"({"output":"done","args":1})"), "error: 'done' has 1 arguments, not 1");
  EXPECT_EQ(wrong(R"({"output":"done","args":[1.5]})"), R"(error: 'n' of 'done': "1.5" is not an int)");
  EXPECT_EQ(wrong(R"({"output":"done","args":[true]})"), "error: 'n' of 'done': true is not an int");
  EXPECT_EQ(wrong(R"({"output":"done","args":[1],"at":"-1"})"),
            R"(error: "-1" is no time: a decimal such as "2.5" or a fraction such as "1/3" is)");
  EXPECT_EQ(wrong(R"({"ready":"tio/2"})"), R"(error: the system speaks "tio/2", not tio/1)");
  EXPECT_EQ(wrong(R"({"start":"tio/1","time":"real","unit":"0"})"), "error: a time unit must take some time");
  const std::string go = R"({"input":"go","args":[7,"0.5",true,)";
  EXPECT_NE(again(go + R"({"x":10,"c":"red"},[1,2]]})").find("outside the range"), std::string::npos);
  EXPECT_NE(again(go + R"({"x":1,"c":"blue"},[1,2]]})").find("\"blue\" is not a literal"), std::string::npos);
  EXPECT_NE(again(go + R"({"x":1},[1,2]]})").find("is not a record"), std::string::npos);
  EXPECT_NE(again(go + R"({"x":1,"c":"red"},[1]]})").find("is not an array"), std::string::npos);
}

TEST(Wire, SurvivesHostileText) {
  EXPECT_EQ(again(std::string(100000, '[')), "error: nested too deep");
  EXPECT_NE(again(R"({"advance":")" + std::string(100000, '9') + "\"}").find("is no time"), std::string::npos);
  EXPECT_TRUE(again("{\"error\":\"\xff\xfe\"}").starts_with("error: not JSON"));
  EXPECT_NE(again(R"({"advance":"1e9"})").find("is no time"), std::string::npos);
  EXPECT_NE(again(R"({"advance":"1/0"})").find("is no time"), std::string::npos);
}

} // namespace
} // namespace tioc::execute::wire
