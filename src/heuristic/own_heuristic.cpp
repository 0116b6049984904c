// SPDX-License-Identifier: MIT
#include "heuristic/own_heuristic.hpp"

#include <map>
#include <mutex>

#include "base/error.hpp"
#include "base/text.hpp"
#include "heuristic/registry.hpp"

namespace tessera {
namespace {

struct Known {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<const OwnBound>, std::less<>> bounds;
};
Known& known() {
  static Known bounds;
  return bounds;
}

}  // namespace

void add_own_heuristic(const std::string& name, OwnBound bound) {
  constexpr std::string_view signs =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  if (name.empty() || name.find_first_not_of(signs) != std::string::npos || !bound) {
    bad_input("heuristic " + quote(name) + ": expected a name of letters, digits, - and _");
  }
  const std::lock_guard lock(known().mutex);
  const bool taken = name == "auto" || with_any_heuristic(name, [](auto) {});
  if (taken || !known().bounds.emplace(name, std::make_shared<OwnBound>(std::move(bound))).second) {
    bad_input("heuristic " + quote(name) + ": there is one of this name already");
  }
}

std::shared_ptr<const OwnBound> own_heuristic(std::string_view name) {
  const std::lock_guard lock(known().mutex);
  const auto found = known().bounds.find(name);
  return found == known().bounds.end() ? nullptr : found->second;
}

OwnHeuristic::OwnHeuristic(const Instance& instance, std::shared_ptr<const OwnBound> bound)
    : size_(instance.size()), bound_(std::move(bound)) {
  for (int label = 0; label < size_.cells(); ++label) {
    homes_[static_cast<std::size_t>(label)] = instance.home(label);
  }
}

void OwnHeuristic::refuse(int h) {
  bad_input("a heuristic of your own returned " + std::to_string(h) +
            ", expected a lower bound of at most " + std::to_string(most) + " moves");
}

}  // namespace tessera
