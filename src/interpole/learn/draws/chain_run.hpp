// One chain under way: it can be driven piece by piece, saved and restored, and ends with the same draws
// however it was cut.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "interpole/learn/posterior/posterior.hpp"
#include "interpole/sampling/nuts/nuts.hpp"

namespace interpole::learn {

class ChainRun {
 public:
  // `index` counts chains from 0 and names the chain's random numbers.
  ChainRun(std::unique_ptr<Posterior> posterior, std::span<const double> start,
           const sampling::NutsOptions& options, int draws, std::uint64_t seed, int index);
  // Goes on from a text. Throws an input error that begins with `place` if it is not of this chain, or holds
  // draws that no chain can have made.
  ChainRun(std::unique_ptr<Posterior> posterior, const std::string& text,
           const sampling::NutsOptions& options, int draws, std::uint64_t seed, int index,
           const std::string& place);

  bool done() const { return static_cast<int>(kept_.size()) == wanted_; }
  std::int64_t iterations() const { return chain_.iteration(); }

  // Iterates for about so many seconds (once at least), until it is done or asked to stop.
  void advance(double seconds, const std::function<bool()>& stop);
  std::string text() const;

  const Posterior& posterior() const { return *posterior_; }
  const std::vector<sampling::NutsDraw>& kept() const { return kept_; }
  double warm_up_seconds() const { return warm_up_seconds_; }
  double sampling_seconds() const { return sampling_seconds_; }

 private:
  std::unique_ptr<Posterior> posterior_;
  sampling::NutsChain chain_;
  int wanted_;
  std::vector<sampling::NutsDraw> kept_;
  double warm_up_seconds_ = 0.0;
  double sampling_seconds_ = 0.0;
};

}  // namespace interpole::learn
