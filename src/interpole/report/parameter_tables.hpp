// What the decision-maker acts as if were true: initial belief, how results come about, how states change;
// beside it the world's values where the model has them.
#pragma once

#include "interpole/model/parameters.hpp"
#include "interpole/report/markup.hpp"

namespace interpole {

Markup parameter_tables(const Model& model);

}  // namespace interpole
