// SPDX-License-Identifier: MIT
#include "heuristic/huge_tables.hpp"

#include <cstring>
#include <fstream>
#include <string>

#include "tessera/base/error.hpp"
#include "tessera/base/machine.hpp"
#include "tessera/base/shared_cache.hpp"

namespace tessera {
namespace {

bool has_huge_pages() {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string modes;
  return std::getline(file, modes) && modes.find("[never]") == std::string::npos;
}

LargeBuffer copied(const Table& table) {
  try {
    LargeBuffer copy(table.bytes());
    std::memcpy(copy.bytes().data(), table.data(), table.bytes());
    return copy;
  } catch (const Error&) {  // a limit that the free memory does not show
    return {};
  }
}

}  // namespace

std::shared_ptr<const HugeTable> in_huge_pages(const std::shared_ptr<const Table>& table,
                                               std::size_t least_bytes) {
  static SharedCache<const Table*, HugeTable> known(0);
  return known.get(table.get(), [&] {
    const bool copies = table->bytes() >= least_bytes && has_huge_pages() &&
                        free_memory_bytes() >= memory_bytes() / 2 + table->bytes();
    return std::make_shared<const HugeTable>(
        HugeTable{table, copies ? copied(*table) : LargeBuffer()});
  });
}

}  // namespace tessera
