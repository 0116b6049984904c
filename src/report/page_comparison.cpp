// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "report/page_content.hpp"
#include "tessera/base/error.hpp"

namespace tessera {
namespace {

// An object of an object, empty where it is absent.
const nlohmann::json& read_object(const nlohmann::json& object, const char* key,
                                  std::string_view where) {
  static const nlohmann::json none = nlohmann::json::object();
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return none;
  if (!found->is_object()) bad_input(fmt::format("\"{}\" of {} is no object", key, where));
  return *found;
}

OrderedJson read_configuration(const nlohmann::json& json, const std::string& where) {
  OrderedJson configuration =
      read_fields(json,
                  {.texts = {"name", "engine", "heuristic", "backend", "schedule", "cut"},
                   .counts = {"ranks", "threads", "workers", "split_depth"},
                   .amounts = {"speedup", "efficiency", "idle", "imbalance"},
                   .any_amounts = {"search_overhead"}},
                  where);
  if (configuration["name"].is_null()) bad_input("no text \"name\" in " + where);
  configuration["seconds"] =
      read_fields(read_object(json, "seconds", where), {.amounts = {"median", "min", "max"}},
                  "\"seconds\" of " + where);
  configuration["nodes"] =
      read_fields(read_object(json, "nodes", where), {.counts = {"expanded", "generated"}},
                  "\"nodes\" of " + where);
  configuration["sections"] = read_fields(
      read_object(json, "sections", where),
      {.amounts = {"search", "split", "wait", "communicate", "other"}}, "\"sections\" of " + where);
  return configuration;
}

OrderedJson read_sentences(const nlohmann::json& json, const char* key) {
  OrderedJson sentences = OrderedJson::array();
  for (const nlohmann::json& sentence : read_array(json, key, "this comparison")) {
    if (!sentence.is_string()) {
      bad_input(fmt::format("\"{}\" of this comparison holds what is no text", key));
    }
    sentences.push_back(OrderedJson(sentence));
  }
  return sentences;
}

}  // namespace

OrderedJson read_comparison(const nlohmann::json& json, std::size_t file) {
  constexpr std::string_view where = "this comparison";
  OrderedJson comparison =
      read_fields(json, {.texts = {"version", "study"}, .counts = {"repeat"}}, where);
  comparison["file"] = file;
  comparison["machine"] =
      read_fields(read_object(json, "machine", where),
                  {.texts = {"cpu", "date"}, .counts = {"cpus", "hosts"}}, "\"machine\"");
  comparison["boards"] = read_array(json, "boards", where).size();
  comparison["verdicts"] = read_sentences(json, "verdicts");
  comparison["summary"] = read_sentences(json, "summary");
  comparison["configurations"] = OrderedJson::array();
  for (const nlohmann::json& configuration : read_array(json, "configurations", where)) {
    const std::size_t number = comparison["configurations"].size() + 1;
    const std::string place = fmt::format("configuration {}", number);
    if (!configuration.is_object()) bad_input(place + " is no object");
    comparison["configurations"].push_back(read_configuration(configuration, place));
  }
  if (comparison["configurations"].empty()) {
    bad_input("no \"configurations\" in this comparison");
  }
  return comparison;
}

}  // namespace tessera
