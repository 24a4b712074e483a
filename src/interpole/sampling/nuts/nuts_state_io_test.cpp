// A chain that was put away and taken up again is the same chain, to the last bit.

#include "interpole/sampling/nuts/nuts_state_io.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/files/hash.hpp"
#include "interpole/error.hpp"
#include "interpole/sampling/sampler_testing.hpp"

namespace interpole::sampling {
namespace {

using ::testing::HasSubstr;

constexpr int kIterations = 260;

NutsOptions short_options(MetricKind kind) {
  NutsOptions options;
  options.warm_up = 200;  // windows end at 150; the last stretch at 200
  options.metric = kind;
  return options;
}

bool same(const NutsDraw& a, const NutsDraw& b) {
  return a.iteration == b.iteration && a.warm_up == b.warm_up && a.position == b.position &&
         a.log_density == b.log_density && a.accept_stat == b.accept_stat && a.step_size == b.step_size &&
         a.tree_depth == b.tree_depth && a.leapfrogs == b.leapfrogs && a.divergent == b.divergent &&
         a.energy == b.energy && a.energy_error == b.energy_error;
}

class Resume : public ::testing::TestWithParam<MetricKind> {};

TEST_P(Resume, IsBitIdenticalFromAnyIteration) {
  RotatedNormal target({0.01, 1.0, 4.0, 100.0});
  const std::vector<double> start = {0.3, -0.2, 0.1, 0.5};
  NutsChain whole(target, start, short_options(GetParam()), 5, 2);
  std::vector<std::string> saved = {nuts_state_to_text(whole.state())};
  std::vector<NutsDraw> draws;
  for (int i = 0; i < kIterations; ++i) {
    draws.push_back(whole.next());
    saved.push_back(nuts_state_to_text(whole.state()));
  }
  for (const int from : {0, 1, 74, 75, 76, 100, 149, 150, 151, 199, 200, 201, 250}) {
    NutsChain resumed(target, nuts_state_from_text(saved[from], "test"));
    EXPECT_EQ(resumed.iteration(), from);
    for (int i = from; i < kIterations; ++i) ASSERT_TRUE(same(resumed.next(), draws[i])) << from << " " << i;
    EXPECT_EQ(nuts_state_to_text(resumed.state()), saved.back());
  }
}

// Negative control: a chain whose state differs in one part is another chain.
TEST_P(Resume, IsNotIdenticalIfAnyPartOfTheStateDiffers) {
  RotatedNormal target({0.01, 1.0, 4.0, 100.0});
  NutsChain whole(target, std::vector<double>(4, 0.1), short_options(GetParam()), 5, 2);
  for (int i = 0; i < 120; ++i) whole.next();
  const NutsState state = whole.state();
  std::vector<NutsDraw> draws;
  for (int i = 120; i < kIterations; ++i) draws.push_back(whole.next());
  const auto differs = [&](auto&& change) {
    NutsState changed = state;
    change(changed);
    NutsChain other(target, changed);
    return !std::all_of(draws.begin(), draws.end(), [&](const NutsDraw& d) { return same(d, other.next()); });
  };
  EXPECT_FALSE(differs([](NutsState&) {}));
  EXPECT_TRUE(differs([](NutsState& s) { ++s.seed; }));
  EXPECT_TRUE(differs([](NutsState& s) { ++s.chain; }));
  EXPECT_TRUE(differs([](NutsState& s) { ++s.iteration; }));
  EXPECT_TRUE(differs([](NutsState& s) { s.at.position[1] += 1e-12; }));
  EXPECT_TRUE(differs([](NutsState& s) { s.at.gradient[1] += 1e-9; }));
  EXPECT_TRUE(differs([](NutsState& s) { s.step_size *= 1.0 + 1e-12; }));
  EXPECT_TRUE(differs([](NutsState& s) { s.dual_averaging.centre += 1e-12; }));
  EXPECT_TRUE(differs([](NutsState& s) { ++s.dual_averaging.count; }));
  EXPECT_TRUE(differs([](NutsState& s) { s.dual_averaging.mean_shortfall += 1e-12; }));
  EXPECT_TRUE(differs([](NutsState& s) { s.inverse_metric[0] *= 1.0 + 1e-12; }));
  EXPECT_TRUE(differs([](NutsState& s) { ++s.moments.count; }));
  EXPECT_TRUE(differs([](NutsState& s) { s.moments.mean[2] += 1e-6; }));
  EXPECT_TRUE(differs([](NutsState& s) { s.moments.products[0] += 1e-6; }));
}

INSTANTIATE_TEST_SUITE_P(Metrics, Resume, ::testing::Values(MetricKind::kDiagonal, MetricKind::kDense));

NutsState awkward_state() {
  NutsState state;
  state.seed = std::numeric_limits<std::uint64_t>::max();
  state.at.position = {-0.0, std::numeric_limits<double>::denorm_min(), 0.1};
  state.at.gradient = {std::numeric_limits<double>::max(), -std::numeric_limits<double>::min(), 1.0 / 3.0};
  state.at.log_density = -1234.5678;
  state.step_size = 1e-300;
  state.inverse_metric = {1.0, 2.0, 3.0};
  state.moments = RunningMoments::empty(MetricKind::kDiagonal, 3);
  return state;
}

TEST(NutsStateText, KeepsEveryBitOfAwkwardNumbers) {
  const NutsState state = awkward_state();
  const std::string text = nuts_state_to_text(state);
  const NutsState back = nuts_state_from_text(text, "test");
  EXPECT_EQ(nuts_state_to_text(back), text);
  EXPECT_EQ(back.seed, state.seed);
  EXPECT_EQ(back.at.position, state.at.position);
  EXPECT_TRUE(std::signbit(back.at.position[0]));
  EXPECT_EQ(back.at.gradient, state.at.gradient);
  EXPECT_EQ(back.step_size, state.step_size);
}

std::string refusal(const std::string& text) {
  return base::complaint_of([&] { nuts_state_from_text(text, "chain-3.state"); });
}

TEST(NutsStateText, IsRefusedIfCutAnywhere) {
  const std::string text = nuts_state_to_text(awkward_state());
  for (std::size_t size = 0; size < text.size(); ++size) {
    ASSERT_THAT(refusal(text.substr(0, size)), HasSubstr("chain-3.state: ")) << size;
  }
}

TEST(NutsStateText, IsRefusedIfAnyByteIsAltered) {
  const std::string text = nuts_state_to_text(awkward_state());
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string altered = text;
    altered[i] = altered[i] == '1' ? '2' : '1';
    ASSERT_THAT(refusal(altered), HasSubstr("start the chain anew")) << i;
  }
  EXPECT_THAT(refusal(text + "\n"), HasSubstr("checksum"));
  EXPECT_THAT(refusal(text + text), HasSubstr("checksum"));
}

// With a checksum that fits, so that the fields themselves are read.
std::string resealed(std::string text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
  text.erase(text.find("sha256 "));
  return text + "sha256 " + base::sha256(text) + "\n";
}

TEST(NutsStateText, NamesTheFieldThatCannotBeRead) {
  const std::string text = nuts_state_to_text(awkward_state());
  EXPECT_THAT(refusal(resealed(text, "chain 0\n", "")), HasSubstr("chain is missing"));
  EXPECT_THAT(refusal(resealed(text, "iteration 0", "iteration 0.5")), HasSubstr("iteration is not a whole"));
  EXPECT_THAT(refusal(resealed(text, "diagonal", "round")), HasSubstr("metric is neither"));
  EXPECT_THAT(refusal(resealed(text, "position 3", "position 4")), HasSubstr("position is not a"));
  EXPECT_THAT(refusal(resealed(text, "position 3", "position 2")), HasSubstr("position has something after"));
  EXPECT_THAT(refusal(resealed(text, "position 3", "position 99999999999")), HasSubstr("position has fewer"));
  EXPECT_THAT(refusal(resealed(text, "step_size 0x1p+0", "step_size 0xinf")), HasSubstr("not a finite"));
  EXPECT_THAT(refusal(resealed(text, "step_size 0x1p+0", "step_size 1.5")), HasSubstr("not a hexadecimal"));
  EXPECT_THAT(refusal(resealed(text, "sha256", "more 1\nsha256")), HasSubstr("lines that do not belong"));
  EXPECT_THAT(refusal("interpole-nuts-state 2\n"), HasSubstr("first line"));
}

std::string refusal_of(optimize::Objective& target, const NutsState& state,
                       ErrorKind kind = ErrorKind::kInput) {
  return base::complaint_of([&] { NutsChain(target, state); }, kind);
}

TEST(NutsState, IsRefusedByAnotherTargetOrIfItDoesNotFitTogether) {
  auto target = standard_normal(3);
  NutsChain chain(target, std::vector<double>(3, 0.5), {}, 1, 0);
  chain.next();
  const NutsState good = chain.state();
  EXPECT_EQ(refusal_of(target, good), "accepted");

  auto smaller = standard_normal(2);
  EXPECT_THAT(refusal_of(smaller, good), HasSubstr("it has 3 coordinates, the target 2"));
  RotatedNormal other({1.0, 2.0, 3.0});
  EXPECT_THAT(refusal_of(other, good), HasSubstr("belongs to other data"));

  const auto changed = [&](auto&& change, ErrorKind kind = ErrorKind::kInput) {
    NutsState state = good;
    change(state);
    return refusal_of(target, state, kind);
  };
  EXPECT_THAT(changed([](NutsState& s) { s.at.gradient.pop_back(); }), HasSubstr("lengths of vectors"));
  EXPECT_THAT(changed([](NutsState& s) { s.inverse_metric.pop_back(); }), HasSubstr("metric has the wrong"));
  EXPECT_THAT(changed([](NutsState& s) { s.inverse_metric[0] = 0.0; }, ErrorKind::kUsage),
              HasSubstr("positive definite"));
  EXPECT_THAT(changed([](NutsState& s) { s.step_size = 0.0; }), HasSubstr("step size"));
  EXPECT_THAT(changed([](NutsState& s) { s.iteration = -1; }), HasSubstr("negative"));
  EXPECT_THAT(changed([](NutsState& s) { s.moments.mean[0] = NAN; }), HasSubstr("not finite"));
  EXPECT_THAT(changed([](NutsState& s) { s.dual_averaging.centre = NAN; }), HasSubstr("not finite"));
  EXPECT_THAT(changed([](NutsState& s) { s.options.most_depth = 99; }, ErrorKind::kUsage),
              HasSubstr("tree depth"));
}

}  // namespace
}  // namespace interpole::sampling
