// SPDX-License-Identifier: MIT
#include "heuristic/huge_tables.hpp"

#include "tessera/base/shared_cache.hpp"

namespace tessera {

std::shared_ptr<const HugeTable> in_huge_pages(const std::shared_ptr<const Table>& table,
                                               std::size_t least_bytes) {
  static SharedCache<const Table*, HugeTable> known(0);
  return known.get(table.get(), [&] {
    return std::make_shared<const HugeTable>(
        HugeTable{table, copy_in_huge_pages({table->data(), table->bytes()}, least_bytes)});
  });
}

}  // namespace tessera
