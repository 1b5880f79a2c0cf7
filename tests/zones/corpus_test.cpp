// Operations recorded from UDBM. One record a line: op | dim | zones | arguments | result.

#include "runtime/zones/federation.hpp"
#include "runtime/zones/zone.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace tioc::zones {
namespace {

std::vector<std::string> split(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts;
  size_t from = 0;
  for (size_t to; (to = text.find(separator, from)) != std::string::npos; from = to + separator.size())
    parts.push_back(text.substr(from, to - from));
  parts.push_back(text.substr(from));
  return parts;
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

Bound parseBound(const std::string& text) {
  if (text == "inf")
    return Bound::infinity();
  const bool closed = text.starts_with("<=");
  return Bound::make(std::stoi(text.substr(closed ? 2 : 1)), closed).value();
}

std::vector<Bound> parseMatrix(const std::string& text) {
  std::vector<Bound> matrix;
  for (const std::string& word : words(text))
    matrix.push_back(parseBound(word));
  return matrix;
}

std::vector<int32_t> parseConstants(const std::string& text) {
  std::vector<int32_t> constants{0};
  for (const std::string& word : words(text))
    constants.push_back(word == "-inf" ? noBound : std::stoi(word));
  return constants;
}

std::string asText(const Zone& zone) {
  if (zone.isOutOfRange())
    return "out of range";
  if (zone.isEmpty())
    return "empty";
  std::string text;
  for (size_t at = 0; at < dbm::size(zone.dim()); ++at) {
    const Bound bound = zone.data()[at];
    text += at == 0 ? "" : " ";
    text += bound.isInfinite() ? "inf" : (bound.isClosed() ? "<=" : "<") + std::to_string(bound.value());
  }
  return text;
}

std::string relationText(Relation relation) {
  switch (relation) {
  case Relation::Equal:
    return "equal";
  case Relation::Subset:
    return "subset";
  case Relation::Superset:
    return "superset";
  case Relation::Different:
    break;
  }
  return "different";
}

std::string membership(const Zone& zone, const Zone& hole, const std::string& points) {
  Federation rest(zone);
  rest.subtract(Federation(hole));
  std::string text;
  for (const std::string& word : words(points)) {
    std::vector<ir::Rational> point{0};
    for (const std::string& halves : split(word, ","))
      point.emplace_back(std::stoi(halves), 2);
    text += rest.contains(point) ? '1' : '0';
  }
  return text;
}

/// What our kernel says to a record.
std::string replay(const std::string& op, Dim dim, const std::vector<Zone>& zones, const std::string& arguments) {
  Zone zone = zones[0];
  const std::vector<std::string> given = words(arguments);
  const auto clock = [&](size_t at) { return static_cast<Clock>(std::stoul(given[at])); };
  if (op == "close") // parsing a zone closes it
    return asText(zone);
  if (op == "constrain")
    return asText(zone.constrain({clock(0), clock(1), parseBound(given[2])}));
  if (op == "up")
    return asText(zone.up());
  if (op == "down")
    return asText(zone.down());
  if (op == "reset")
    return asText(zone.reset(clock(0), std::stoi(given[1])));
  if (op == "copy")
    return asText(zone.copyClock(clock(0), clock(1)));
  if (op == "free")
    return asText(zone.free(clock(0)));
  if (op == "intersect")
    return asText(zone.intersect(zones[1]));
  if (op == "relation")
    return relationText(zone.relationTo(zones[1]));
  if (op == "subtract_contains")
    return membership(zone, zones[1], arguments);
  const std::vector<std::string> sides = split(arguments, " ; ");
  const ClockBounds bounds(parseConstants(sides.at(0)), parseConstants(sides.at(1)));
  EXPECT_EQ(bounds.dim(), dim);
  if (op == "extra_m")
    return asText(zone.extraM(bounds));
  if (op == "extra_m_plus")
    return asText(zone.extraMPlus(bounds));
  if (op == "extra_lu")
    return asText(zone.extraLU(bounds));
  if (op == "extra_lu_plus")
    return asText(zone.extraLUPlus(bounds));
  return "unknown operation " + op;
}

TEST(Corpus, EveryRecordedOperationAgrees) {
  std::ifstream file(TIOC_ZONES_CORPUS);
  ASSERT_TRUE(file) << TIOC_ZONES_CORPUS;
  size_t records = 0;
  size_t differing = 0;
  std::map<std::string, size_t> differingByOperation;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#')
      continue;
    ++records;
    const std::vector<std::string> fields = split(line, " | ");
    ASSERT_EQ(fields.size(), 5u) << line;
    const Dim dim = static_cast<Dim>(std::stoul(fields[1]));
    std::vector<Zone> zones;
    for (const std::string& matrix : split(fields[2], " ; "))
      zones.push_back(Zone::closed(dim, parseMatrix(matrix)));
    const std::string result = replay(fields[0], dim, zones, fields[3]);
    if (result == fields[4])
      continue;
    ++differingByOperation[fields[0]];
    if (++differing <= 5)
      ADD_FAILURE() << line << "\n  ours: " << result;
  }
  EXPECT_EQ(records, 12061u);
  EXPECT_EQ(differing, 0u);
  for (const auto& [operation, count] : differingByOperation)
    std::cout << operation << ": " << count << " differ\n";
}

} // namespace
} // namespace tioc::zones
