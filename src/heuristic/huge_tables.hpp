// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>

#include "base/memory.hpp"
#include "base/shared_cache.hpp"
#include "pdb/table_store.hpp"

namespace tessera {

/// A table with a copy in huge pages or, without one, as its mapped file.
struct HugeTable {
  std::shared_ptr<const Table> table;
  LargeBuffer copy;

  [[nodiscard]] const std::uint8_t* data() const {
    return copy.bytes().empty() ? table->data() : copy.bytes().data();
  }
};

/// Copies a table like copy_in_huge_pages, or leaves it mapped. Callers in one process share the
/// copy; processes of a host do not, since file pages cannot be huge without a change of kernel
/// settings.
[[nodiscard]] inline std::shared_ptr<const HugeTable> in_huge_pages(
    const std::shared_ptr<const Table>& table, std::size_t least_bytes = least_copied_bytes) {
  static SharedCache<const Table*, HugeTable> known(0);
  return known.get(table.get(), [&] {
    return std::make_shared<const HugeTable>(
        HugeTable{table, copy_in_huge_pages(table->payload(), least_bytes)});
  });
}

}  // namespace tessera
