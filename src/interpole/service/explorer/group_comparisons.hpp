// The comparisons of groups that a live session has made. One takes long where there are many groups, and
// follows from the study, the data and the kind of dynamics alone: a fit with another seed needs no new one.
#pragma once

#include <map>
#include <optional>

#include "interpole/base/files/checkpoint.hpp"
#include "interpole/service/fit/groups_task.hpp"

namespace interpole::service {

// All of one session: they differ in their files and dynamics, in no other option.
class GroupComparisons {
 public:
  // Forgets what was found in files that are no longer as they were. Reads them to hash them.
  void forget_other_files(const GroupsRequest& request);

  const GroupsOutcome* with(DynamicsMode dynamics) const;         // null: not made yet
  std::optional<DynamicsMode> latest() const { return latest_; }  // of the last one made

  const GroupsOutcome& make(const GroupsRequest& request, Sink& sink);

 private:
  base::Checkpoint::Fingerprint files_;
  std::map<DynamicsMode, GroupsOutcome> made_;
  std::optional<DynamicsMode> latest_;
};

}  // namespace interpole::service
