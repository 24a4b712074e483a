#include <nlohmann/json.hpp>

#include "interpole/base/files/atomic_file.hpp"
#include "interpole/base/files/hash.hpp"
#include "interpole/base/files/text_file.hpp"
#include "interpole/fit.hpp"
#include "interpole/learn/result/fit_quality.hpp"
#include "interpole/learn/uncertainty/uncertainty_file.hpp"
#include "interpole/model/file/model_document.hpp"
#include "interpole/model_file.hpp"

namespace interpole {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// The text of an object in the file; empty if there is none of that name.
std::string object_text(simdjson::dom::object file, const char* key) {
  simdjson::dom::object found;
  return file[key].get(found) == simdjson::SUCCESS ? simdjson::minify(found) : std::string();
}

}  // namespace

FitResult parse_fit(const std::string& text, const std::string& where) {
  simdjson::dom::parser parser;
  std::string unmarked;
  const bool marked = text.starts_with(kByteOrderMark);
  if (marked) unmarked = text.substr(kByteOrderMark.size());
  const simdjson::dom::object file =
      base::json_object(base::parse_json(parser, marked ? unmarked : text, where), base::JsonPlace(where));
  FitResult result;
  result.model = model::model_of(file, where);
  if (auto stored = learn::uncertainty_of(file, result.model.structure, where)) {
    result.uncertainty = std::make_shared<const learn::StoredUncertainty>(std::move(*stored));
  }
  result.quality = learn::parse_quality(object_text(file, "fit"));
  result.provenance = learn::parse_provenance(object_text(file, "provenance"));
  result.provenance.file = where;
  result.provenance.sha256 = base::sha256(text);
  return result;
}

FitResult read_fit(const std::string& path) {
  return parse_fit(base::read_text_file(path, "model file"), path);
}

std::string format_fit(const FitResult& fit) {
  using Json = nlohmann::ordered_json;
  Json extras = Json::object();
  if (!fit.provenance.json.empty()) extras["provenance"] = Json::parse(fit.provenance.json);
  if (!fit.quality.json.empty()) extras["fit"] = Json::parse(fit.quality.json);
  if (fit.uncertainty) {
    extras["uncertainty"] =
        Json::parse(learn::format_uncertainty(fit.uncertainty->problem, fit.uncertainty->uncertainty));
  }
  return format_model(fit.model, extras.dump());
}

void write_fit(const std::string& path, const FitResult& fit) {
  base::write_file_atomically(path, format_fit(fit));
}

}  // namespace interpole
