// SPDX-License-Identifier: MIT
#include "heuristic/huge_tables.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "base/temporary_folder.hpp"
#include "pdb/pattern_table.hpp"

namespace tessera {
namespace {

TEST(HugeTables, HoldWhatTheFileHoldsAndAreShared) {
  const TemporaryFolder folder;
  const TableRequest request = aware_request(canonical(make_pattern({3, 3}, 0x1e, 0)).pattern);
  const auto table = open_table(folder.text(), request, 1, {});
  const auto huge = in_huge_pages(table, 1);
  EXPECT_EQ(std::memcmp(huge->data(), table->data(), table->bytes()), 0);
  EXPECT_EQ(in_huge_pages(table, 1), huge);
}

TEST(HugeTables, SmallTablesStayMapped) {
  const TemporaryFolder folder;
  const TableRequest request = aware_request(canonical(make_pattern({3, 3}, 0x1e, 0)).pattern);
  const auto table = open_table(folder.text(), request, 1, {});
  EXPECT_EQ(in_huge_pages(table)->data(), table->data());
}

}  // namespace
}  // namespace tessera
