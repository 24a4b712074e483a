// What the name of a column suggests that it holds. Internal.
#pragma once

#include <string>

namespace interpole::data {

// Each: the smaller, the likelier; kUnnamed: the name says nothing of the kind.
constexpr int kUnnamed = 1000;
int id_rank(const std::string& name);
int order_rank(const std::string& name);
int action_rank(const std::string& name);
int diagnosis_rank(const std::string& name);
int group_rank(const std::string& name);
// Of a table with one row for each measurement: what was measured, and what came of it.
int measurement_rank(const std::string& name);
int value_rank(const std::string& name);

// Of a visit code: bl, baseline.
bool is_baseline(const std::string& code);

}  // namespace interpole::data
