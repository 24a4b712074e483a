#include "interpole/service/checks_json.hpp"

#include "interpole/base/json/json_number.hpp"

namespace interpole::service {
namespace {

using Json = nlohmann::ordered_json;

const char* unit_name(ModelCheck::Unit unit) {
  switch (unit) {
    case ModelCheck::Unit::kShare:
      return "share";
    case ModelCheck::Unit::kChange:
      return "change";
    case ModelCheck::Unit::kCorrelation:
      break;
  }
  return "correlation";
}

void add_number(Json& json, const CheckedNumber& number) {
  json["what"] = number.words;
  json["observed"] = base::json_number(number.observed);
  json["expected"] = base::json_number(number.expected);
  json["low"] = base::json_number(number.low);
  json["high"] = base::json_number(number.high);
}

Json check_json(const ModelCheck& check, bool with_numbers) {
  Json json = {{"name", check.name}, {"question", check.question}};
  add_number(json, check.most);
  json["unit"] = unit_name(check.unit);
  json["statistic"] = base::json_number(check.statistic);
  json["degrees"] = check.degrees;
  json["p_value"] = base::json_number(check.p_value);
  json["failed"] = check.failed;
  json["sentence"] = check.sentence;
  if (!with_numbers) return json;
  json["numbers"] = Json::array();
  for (const CheckedNumber& number : check.numbers) {
    json["numbers"].emplace_back(Json::object());
    add_number(json["numbers"].back(), number);
  }
  return json;
}

}  // namespace

Json checks_json(const ModelChecks& checks, bool with_numbers) {
  Json list = Json::array();
  for (const ModelCheck& check : checks.checks) list.push_back(check_json(check, with_numbers));
  return list;
}

Json sign_json(const ModelChecks& checks) {
  if (!checks.sign) return nullptr;
  Json points = Json::array();
  for (const SignProfile::Point& point : checks.sign->points) {
    points.push_back({{"right", point.right}, {"log_evidence_ratio", base::json_number(point.log_ratio)}});
  }
  return points;
}

ModelChecks without_covariate_names(ModelChecks checks) {
  for (ModelCheck& check : checks.checks) {
    if (!check.name.starts_with("covariate ")) continue;
    check.name = check.most.words = "a covariate";
    check.question = "how often each action is chosen by a covariate of the records";
    check.sentence = check.failed
                         ? "How often each action is chosen depends on a covariate of the records otherwise "
                           "than the model expects."
                         : "How often each action is chosen by a covariate: as the model expects.";
  }
  return checks;
}

}  // namespace interpole::service
