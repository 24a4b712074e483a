// Which dynamics answer for what.
//
//   shared      one set of dynamics explains both actions and observations (the paper)
//   coupled     the world's dynamics explain the observations, the agent's the actions; the two are tied
//   subjective  the agent's dynamics explain the actions; observations are not explained
#pragma once

#include <string>

namespace interpole {

enum class DynamicsMode { kShared, kCoupled, kSubjective };

DynamicsMode dynamics_mode_named(const std::string& name);  // usage error naming the known ones
std::string name_of(DynamicsMode mode);

}  // namespace interpole
