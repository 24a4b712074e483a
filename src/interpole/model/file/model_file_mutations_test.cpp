// Whatever a few random edits make of a model file, it is refused, or read as a model that can be used.
#include <gmock/gmock.h>

#include <cmath>

#include "interpole/base/random.hpp"
#include "interpole/belief.hpp"
#include "interpole/error.hpp"
#include "interpole/model/file/model_text_testing.hpp"

namespace interpole::model {
namespace {

using testing::StartsWith;

// One to four random edits: a byte changed, removed, doubled, or the rest cut off.
std::string mutated(base::RandomStream& random, const std::string& good) {
  static const std::string likely = "[]{},:\"0123456789.eE+-nulltrue\\ \n";
  std::string text = good;
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random.next_bits() % n); };
  for (std::size_t edits = 1 + below(4); edits > 0 && !text.empty(); --edits) {
    const std::size_t at = below(text.size());
    switch (below(8)) {
      case 0:
        text[at] = static_cast<char>(random.next_bits());
        break;
      case 1:
        text.resize(at);
        break;
      case 2:
        text.erase(at, 1 + below(12));
        break;
      case 3:
        text.insert(at, text.substr(below(text.size()), below(40)));
        break;
      default:
        text[at] = likely[below(likely.size())];
    }
  }
  return text;
}

void expect_sound(const Model& model) {
  const auto all_finite = [](const std::vector<double>& numbers) {
    for (const double x : numbers) {
      if (!std::isfinite(x)) return false;
    }
    return true;
  };
  const Dynamics& dynamics = model.agent.dynamics;
  EXPECT_TRUE(all_finite(dynamics.initial) && all_finite(dynamics.transition) &&
              all_finite(dynamics.observation));
  EXPECT_TRUE(all_finite(action_probabilities(model.structure, model.agent.policy, dynamics.initial)));
  if (model.world) {
    EXPECT_TRUE(all_finite(model.world->initial) && all_finite(model.world->transition) &&
                all_finite(model.world->observation));
  }
  EXPECT_EQ(parse_model(format_model(model), "again"), model);
}

TEST(ModelFileMutations, TwentyThousandMutationsAreReadOrRefused) {
  base::RandomStream random(20210503);
  int accepted = 0;
  int refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    const std::string text = mutated(random, round % 2 == 0 ? kGood : with_policy());
    SCOPED_TRACE(text);
    try {
      expect_sound(parse_model(text, "m.json"));
      ++accepted;
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), ErrorKind::kInput) << error.what();
      ASSERT_THAT(error.what(), StartsWith("m.json: "));
      ++refused;
    }
    if (testing::Test::HasFailure()) return;
  }
  // Both outcomes must be frequent, or the test says little.
  EXPECT_GT(accepted, 200);
  EXPECT_GT(refused, 10'000);
}

}  // namespace
}  // namespace interpole::model
