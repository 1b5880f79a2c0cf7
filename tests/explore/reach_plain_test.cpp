#include "runtime/semantics/plain_code.hpp"

#include "eval/random_edges.hpp"
#include "ir/print.hpp"
#include "runtime/explore/reach_store.hpp"
#include "runtime/zones/zone.hpp"

#include <gtest/gtest.h>

namespace tioc {
namespace {

TEST(PlainCode, AgreesWithTheInterpreter) {
  unsigned yes = 0;
  unsigned no = 0;
  unsigned stuck = 0;
  unsigned own = 0;
  for (uint64_t seed = 0; seed < 30; ++seed) {
    eval::test::RandomEdges random(seed);
    for (int i = 0; i < 60; ++i)
      random.addEdge(1 + i % 4);
    const eval::Layout layout(random.model);
    eval::EdgeCode code(layout, eval::Mode::Interpret);
    eval::EdgeCode behind(layout, eval::Mode::Interpret);
    semantics::PlainCode plain(behind);
    std::vector<eval::Slot> expected(layout.frameSize());
    for (int k = 0; k < 200; ++k) {
      const std::vector<eval::Slot> frame = random.frame(layout);
      for (size_t i = 0; i < random.model.edges.size(); ++i) {
        const ir::EdgeId id(i);
        ASSERT_EQ(plain.holds(id, frame.data()), code.holds(id, frame.data()))
            << ir::printExpr(random.model, random.model[id].guard.data, &random.model[id]);
        std::vector<eval::Slot> got = frame;
        const eval::Taken taken = code.update(id, frame.data(), expected.data());
        ASSERT_EQ(plain.update(id, got.data()), taken);
        if (taken == eval::Taken::Yes) {
          ASSERT_TRUE(std::equal(got.begin(), got.begin() + layout.stateSize(), expected.begin()));
        }
        (taken == eval::Taken::Yes ? yes : taken == eval::Taken::No ? no : stuck) += 1;
      }
    }
    own += code.stats().interpreted > behind.stats().interpreted ? 1 : 0;
  }
  EXPECT_GT(yes, 10000U);
  EXPECT_GT(no, 10000U);
  EXPECT_GT(stuck, 100U);
  EXPECT_EQ(own, 30U); // some answers were the programs' own
}

TEST(ZoneStore, GivesBackWhatWasStoredInEveryWidth) {
  using zones::Bound;
  explore::ZoneStore store(4);
  std::vector<Bound> scratch(16);
  // The ends of what one and two bytes hold, and of what they do not.
  for (int32_t value : {0, 1, 62, 63, 64, 65, 16382, 16383, 16384, 16385, 1 << 20, zones::maxValue})
    for (zones::Zone zone : {zones::Zone::universe(4).constrain({1, 0, Bound::atMost(value)}),
                             zones::Zone::universe(4).constrain({1, 0, Bound::below(value + (value < 1 ? 1 : 0))}),
                             zones::Zone::zero(4).up().constrain({0, 2, Bound::atMost(-value)}),
                             zones::Zone::universe(4).constrain({0, 3, Bound::below(-value)})}) {
      const auto narrowest = store.narrowest(zone.data(), 4);
      for (explore::ZoneStore::Width width = narrowest; width <= explore::ZoneStore::kWide; ++width) {
        const uint32_t id = store.store(zone.data(), 4, width);
        const uint32_t other = store.store(zones::Zone::universe(4).data(), 4, width);
        EXPECT_TRUE(zones::dbm::isEqual(store.load(id, 4, width, scratch.data()), zone.data(), 4)) << value;
        store.giveBack(other, 4, width);
        store.giveBack(id, 4, width);
        EXPECT_EQ(store.store(zone.data(), 4, width), id);
        EXPECT_TRUE(zones::dbm::isEqual(store.load(id, 4, width, scratch.data()), zone.data(), 4)) << value;
      }
    }
}

TEST(StateTable, FindsEveryStateAsItGrows) {
  explore::StateTable table(2);
  const auto hash = [](const uint64_t* words) { return (words[0] * 3 + words[1]) << 32; }; // many collide
  for (uint64_t i = 0; i < 5000; ++i) {
    const uint64_t words[2] = {i % 70, i / 70};
    ASSERT_EQ(table.find(words, hash(words)), explore::kNone);
    ASSERT_EQ(table.insert(words, hash(words)), i);
  }
  for (uint64_t i = 0; i < 5000; ++i) {
    const uint64_t words[2] = {i % 70, i / 70};
    ASSERT_EQ(table.find(words, hash(words)), i);
  }
}

} // namespace
} // namespace tioc
