#include "ir/passes.hpp"
#include "runtime/conformance/signal_log.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

namespace tioc::conformance {
namespace {

ir::Model heater() {
  const ir::Model model = test::compileOk(test::readFile(test::sourceDir() + "/examples/heater.tio"));
  return ir::signals(ir::instantiate(model, ir::SystemId(0)));
}

ir::Model mixed() {
  return ir::signals(ir::instantiate(test::compileOk(R"(module mixed;
    timescale 1 ms;
    enum Mode { slow, fast }
    vdta Drive {
      input speed: real, mode: Mode;
      output on: bool, level: int[0..9];
      init Off when speed == 0.0 && mode == slow && !on && level == 0;
      state Off { when speed > 0.5 && mode == fast do on := true, level := 3 -> On; }
      state On { when speed < 0.5 do on := false, level := 0 -> Off; }
    })"),
                                     ir::SystemId(0)));
}

std::vector<SignalRow> rowsOf(const std::string& text, const ir::Model& model, const SignalLogOptions& options = {}) {
  SignalLog log = readSignalLog(text, model, options);
  if (const auto* problem = std::get_if<SignalLogProblem>(&log)) {
    ADD_FAILURE() << problem->line << ": " << problem->text;
    return {};
  }
  return std::get<std::vector<SignalRow>>(std::move(log));
}

std::string problemOf(const std::string& text, const ir::Model& model, const SignalLogOptions& options = {}) {
  const SignalLog log = readSignalLog(text, model, options);
  const auto* problem = std::get_if<SignalLogProblem>(&log);
  return problem ? std::to_string(problem->line) + ": " + problem->text : "";
}

std::string show(const std::vector<SignalEvent>& events) {
  std::string text;
  for (const SignalEvent& event : events) {
    text += event.time.toString() + (event.output ? " out" : " in");
    for (const eval::Value& value : event.values)
      text += " " + value.number.toString();
    text += "\n";
  }
  return text;
}

TEST(SignalLog, ReadsSemicolonsDecimalCommasUnitsAndOtherColumns) {
  const std::vector<SignalRow> rows =
      rowsOf(test::readFile(test::sourceDir() + "/tests/vdta/logs/heater.csv"), heater());
  ASSERT_EQ(rows.size(), 8U);
  EXPECT_EQ(rows[3].time, ir::Rational(77, 4));
  EXPECT_EQ(rows[3].inputs, (std::vector<eval::Value>{{1, {}}, {1, {}}, {0, {}}, {20, {}}}));
  EXPECT_EQ(rows[2].outputs, (std::vector<eval::Value>{{1, {}}, {1, {}}, {1, {}}, {0, {}}, {0, {}}}));
}

TEST(SignalLog, ReadsPathsBeforeNamesAndConvertsTheUnitOfTime) {
  const std::vector<SignalRow> rows =
      rowsOf(test::readFile(test::sourceDir() + "/tests/vdta/logs/heater_late.csv"), heater());
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[2].time, ir::Rational(87, 5));
}

TEST(SignalLog, ReadsTabsQuotesWordsExponentsUnitRowsAndGaps) {
  const std::vector<SignalRow> rows = rowsOf("\xEF\xBB\xBF# exported\r\n"
                                             "\"Timestamp\"\t\"MODE\"\t\"on\"\tlevel\tspeed (m/s)\r\n"
                                             "s\t\t\t-\tm/s\r\n"
                                             "10.0\tslow\toff\t0\t0\r\n"
                                             "\r\n"
                                             "10.5\tfast\tTRUE\t3\t5.5e-1\r\n"
                                             "10.75\t\t\t\t+1.5E+1\r\n",
                                             mixed());
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].time, ir::Rational(0));
  EXPECT_EQ(rows[1].time, ir::Rational(500));
  EXPECT_EQ(rows[1].inputs, (std::vector<eval::Value>{{ir::Rational(11, 20), {}}, {1, {}}}));
  EXPECT_EQ(rows[2].inputs, (std::vector<eval::Value>{{15, {}}, {1, {}}}));
  EXPECT_EQ(rows[2].outputs, rows[1].outputs);
  EXPECT_EQ(rows[2].line, 7U);
}

TEST(SignalLog, SaysWhatIsWrongAndWhere) {
  const ir::Model model = mixed();
  const std::string header = "time,speed,mode,on,level\n";
  EXPECT_EQ(problemOf("", model), "0: the file is empty");
  EXPECT_EQ(problemOf(header, model), "0: there is no row behind the header");
  EXPECT_EQ(problemOf("time,speed,mode,on\n", model), "1: there is no column for the signal 'level'");
  EXPECT_EQ(problemOf("time,speed,speed,mode,on,level\n", model), "1: two columns are called like the signal 'speed'");
  EXPECT_EQ(problemOf("time [furlong],speed,mode,on,level\n", model),
            "1: 'furlong' is no unit of time; there is ns, us, ms, s, min, h");
  EXPECT_EQ(problemOf(header + "0,0,slow,0,0\nx,0,slow,0,0\n", model), "3: 'x' is no time");
  EXPECT_EQ(problemOf(header + "1,0,slow,0,0\n0,0,slow,0,0\n", model), "3: the time goes back");
  EXPECT_EQ(problemOf(header + "0,0,quick,0,0\n", model), "2: 'quick' is no value of 'mode'");
  EXPECT_EQ(problemOf(header + "0,0,slow,0,10\n", model), "2: '10' is no value of 'level'");
  EXPECT_EQ(problemOf(header + "0,0,slow,0,0.5\n", model), "2: '0.5' is no value of 'level'");
  EXPECT_EQ(problemOf(header + "0,,slow,0,0\n", model), "2: 'speed' has no value in the first row");
  EXPECT_EQ(problemOf(header, model, {"clock", {}}), "1: there is no column 'clock'");
}

TEST(SignalLog, GivesChangesWithTheInputsOfAnInstantFirst) {
  const ir::Model model = mixed();
  const std::vector<SignalRow> rows =
      rowsOf("time,speed,mode,on,level\n0,0,slow,0,0\n5,1,fast,1,3\n7,1,fast,1,3\n7,0,fast,0,0\n", model);
  EXPECT_EQ(show(changesOf(rows, rows[0])), "5 in 1 1\n5 out 1 3\n7 in 0 1\n7 out 0 0\n");
}

TEST(SignalLog, GivesWhatIsSeenEveryPeriodOnly) {
  const ir::Model model = mixed();
  const std::vector<SignalRow> rows =
      rowsOf("time,speed,mode,on,level\n0,0,slow,0,0\n5,1,fast,1,3\n7,0,fast,0,0\n9,0,fast,0,0\n", model);
  EXPECT_EQ(show(samplesOf(rows, rows[0], 3)), "0 out 0 0\n3 out 0 0\n5 in 1 1\n6 out 1 3\n7 in 0 1\n9 out 0 0\n");
  EXPECT_EQ(show(samplesOf(rows, rows[0], 0)), "0 out 0 0\n5 in 1 1\n5 out 1 3\n7 in 0 1\n7 out 0 0\n9 out 0 0\n");
}

} // namespace
} // namespace tioc::conformance
