#include "interpole/learn/draws/shared_chains.hpp"

#include <gmock/gmock.h>

#include "interpole/base/ranks/thread_ranks_testing.hpp"

namespace interpole::learn {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(ChainMoves, GiveAChainToARankThatIsDone) {
  const std::vector<int> owner = {0, 1, 0, 1};
  EXPECT_THAT(chain_moves(std::vector<double>{0.0, 0.6, 0.0, 0.4}, owner, 2), ElementsAre(Pair(1, 0)));
  EXPECT_THAT(chain_moves(std::vector<double>{0.1, 1.0, 0.1, 0.3}, owner, 2), ElementsAre(Pair(3, 0)));
}

TEST(ChainMoves, AreNotMadeForNothing) {
  EXPECT_THAT(chain_moves(std::vector<double>{1.0, 1.1, 1.0, 1.1}, std::vector<int>{0, 1, 0, 1}, 2),
              IsEmpty());
  EXPECT_THAT(chain_moves(std::vector<double>{0.0, 0.02, 0.02}, std::vector<int>{0, 1, 1}, 2), IsEmpty());
  EXPECT_THAT(chain_moves(std::vector<double>{2.0}, std::vector<int>{0}, 3), IsEmpty());
}

TEST(ChainMoves, GoToSeveralRanks) {
  EXPECT_THAT(chain_moves(std::vector<double>{1.0, 1.0, 1.0}, std::vector<int>{1, 1, 1}, 3),
              ElementsAre(Pair(0, 0), Pair(1, 2)));
}

// Chains that count: some are ten times as long as others, so that they move.
TEST(SharedChains, AreAllDoneAndKnownToAllRanksWhereverTheyMove) {
  constexpr int kChains = 5;
  for (const int size : {1, 2, 3, 8}) {
    base::run_as_ranks(size, [&](base::Ranks& all) {
      std::vector<std::int64_t> done(kChains, 0);
      const auto wanted = [](int c) { return std::int64_t{c % 2 == 0 ? 40 : 4}; };
      SharedChains chains(kChains);
      const auto tell = [&] {
        chains.tell([&](int c) { return ChainProgress{done[c], wanted(c) - done[c]}; });
      };
      const auto take = [&](int c, const std::string& text) { done[c] = std::stoll(text); };
      const auto text_of = [&](int c) { return std::to_string(done[c]); };
      tell();
      for (int turn = 0; !chains.done(); ++turn) {
        ASSERT_LT(turn, 1000);
        chains.balance(text_of, take);
        chains.take_turns(1, [&](int c, double) {
          EXPECT_LT(done[c], wanted(c));
          std::this_thread::sleep_for(std::chrono::milliseconds(2));
          ++done[c];
        });
        tell();
      }
      chains.gather(text_of, take);
      for (int c = 0; c < kChains; ++c) EXPECT_EQ(done[c], wanted(c)) << "rank " << all.rank();
      EXPECT_EQ(chains.iterations(), 3 * 40 + 2 * 4);
    });
  }
}

}  // namespace
}  // namespace interpole::learn
