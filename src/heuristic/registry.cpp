// SPDX-License-Identifier: MIT
#include "tessera/heuristic/registry.hpp"

#include "tessera/base/error.hpp"
#include "tessera/base/text.hpp"

namespace tessera {
namespace {

template <class... H>
std::vector<HeuristicInfo> infos(std::type_identity<std::tuple<H...>>) {
  static_assert((Heuristic<H> && ...));
  return {H::info...};
}

template <class H>
void require_size(std::string_view name, Size size) {
  if constexpr (requires { H::require(size); }) {
    if (H::info.name == name) H::require(size);
  }
}

template <class... H>
void require_size(std::string_view name, Size size, std::type_identity<std::tuple<H...>>) {
  (require_size<H>(name, size), ...);
}

}  // namespace

std::vector<HeuristicInfo> heuristic_infos() {
  return infos(std::type_identity<Heuristics>{});
}

std::string resolve_heuristic(std::string_view spec, Size size) {
  // The bucket kernel expands Manhattan nodes of up to 16 cells some ten times as fast as the
  // other kernel does linear conflict's, which has about a tenth of the nodes there; on larger
  // boards linear conflict prunes by more and Manhattan has no such kernel.
  if (spec == "auto")
    return size.cells() <= NibblePosition::max_cells ? "manhattan" : "linear-conflict";
  std::vector<std::string> names{"auto"};
  for (const HeuristicInfo& info : heuristic_infos()) {
    if (info.name == spec) {
      require_size(spec, size, std::type_identity<Heuristics>{});
      return std::string(spec);
    }
    names.emplace_back(info.name);
  }
  const std::string nearest = nearest_name(spec, names);
  std::string expected = "expected one of";
  for (const std::string& name : names) expected += " " + name;
  bad_input("heuristic " + quote(spec) + " is unknown, " +
            (nearest.empty() ? expected : "did you mean " + nearest + "?"));
}

}  // namespace tessera
