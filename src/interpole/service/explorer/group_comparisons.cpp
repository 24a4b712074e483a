#include "interpole/service/explorer/group_comparisons.hpp"

#include <utility>

#include "interpole/service/run_fingerprint.hpp"

namespace interpole::service {

void GroupComparisons::forget_other_files(const GroupsRequest& request) {
  auto files = run_fingerprint("groups", request.study, request.data);
  if (files == files_) return;
  files_ = std::move(files);
  made_.clear();
  latest_.reset();
}

const GroupsOutcome* GroupComparisons::with(DynamicsMode dynamics) const {
  const auto found = made_.find(dynamics);
  return found == made_.end() ? nullptr : &found->second;
}

const GroupsOutcome& GroupComparisons::make(const GroupsRequest& request, Sink& sink) {
  GroupsOutcome outcome = run_groups(request, sink);
  latest_ = request.options.fit.dynamics;
  return made_[*latest_] = std::move(outcome);
}

}  // namespace interpole::service
