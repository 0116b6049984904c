// SPDX-License-Identifier: MIT
#include "pdb/table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/refusal.hpp"
#include "base/temporary_folder.hpp"

namespace tessera {
namespace {

const TableKey some_key{TableKind::additive, {4, 3}, Metric::single, 0x1e, 0xfe1};

std::vector<std::uint8_t> some_payload(std::size_t bytes) {
  std::vector<std::uint8_t> payload(bytes);
  for (std::size_t i = 0; i < bytes; ++i) payload[i] = static_cast<std::uint8_t>(i * 37 + 5);
  return payload;
}

// A file of that content is refused as damaged.
void expect_corrupt(const TemporaryFolder& folder, const std::string& content,
                    const std::string& what) {
  SCOPED_TRACE(what);
  const std::string path = folder.file("damaged", content);
  const Error error = refused([&] { return Table(path); });
  EXPECT_EQ(error.kind(), ErrorKind::corrupt);
  EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
}

TEST(Table, ComesBackAsItWasWritten) {
  const TemporaryFolder folder;
  for (const std::size_t bytes : {1UL, 4095UL, 4096UL, 100'001UL}) {
    const std::vector<std::uint8_t> payload = some_payload(bytes);
    Table::write(folder.path() / "made" / "for it", some_key, payload);
    const Table file(folder.path() / "made" / "for it" / file_name(some_key));
    EXPECT_EQ(file.key(), some_key);
    EXPECT_TRUE(
        std::equal(file.payload().begin(), file.payload().end(), payload.begin(), payload.end()));
  }
  // Nothing but the file is left.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path() / "made" / "for it"),
                          std::filesystem::directory_iterator{}),
            1);
}

TEST(Table, IsLaidOutAsTheHeaderSays) {
  const TemporaryFolder folder;
  Table::write(folder.path(), some_key, some_payload(3));
  const std::string content = content_of(folder.path() / file_name(some_key));
  EXPECT_EQ(file_name(some_key), "additive-4x3-1e-fe1.pdb");
  ASSERT_EQ(content.size(), 4099U);
  EXPECT_EQ(content.substr(0, 8), "TESSERAT");
  EXPECT_EQ(content.substr(8, 8), std::string("\1\0\0\0\1\4\3\0", 8));
  EXPECT_EQ(content.substr(16, 8), std::string("\x1e\0\0\0\0\0\0\0", 8));
  EXPECT_EQ(content.substr(24, 8), std::string("\xe1\x0f\0\0\0\0\0\0", 8));
  EXPECT_EQ(content.substr(32, 8), std::string("\3\0\0\0\0\0\0\0", 8));
  EXPECT_EQ(content.substr(4096), "\x05\x2a\x4f");
}

TEST(Table, NamesTellKeysApart) {
  TableKey key = some_key;
  key.kind = TableKind::lines;
  EXPECT_EQ(file_name(key), "lines-4x3-1e-fe1.pdb");
  key.kind = TableKind::fringe;
  key.homes = ~std::uint64_t{0};
  EXPECT_EQ(file_name(key), "fringe-4x3-ffffffffffffffff-fe1.pdb");
}

TEST(Table, CutShortOrGrownIsCorrupt) {
  const TemporaryFolder folder;
  Table::write(folder.path(), some_key, some_payload(5000));
  const std::string content = content_of(folder.path() / file_name(some_key));
  for (const std::size_t length : {0U, 1U, 8U, 47U, 56U, 4095U, 4096U, 4097U, 9095U}) {
    expect_corrupt(folder, content.substr(0, length), "cut at " + std::to_string(length));
  }
  expect_corrupt(folder, content + '\0', "grown");
  const Table whole(folder.file("whole", content));
  EXPECT_EQ(whole.payload().size(), 5000U);
}

TEST(Table, AFlippedBitIsCorrupt) {
  const TemporaryFolder folder;
  Table::write(folder.path(), some_key, some_payload(200));
  const std::string content = content_of(folder.path() / file_name(some_key));
  const auto flipped = [&](std::size_t byte, std::size_t bit) {
    std::string damaged = content;
    damaged[byte] = static_cast<char>(damaged[byte] ^ (1 << bit));
    return damaged;
  };
  for (std::size_t byte = 0; byte < 56; ++byte) {
    for (const std::size_t bit : {byte % 8, (byte + 3) % 8}) {
      expect_corrupt(folder, flipped(byte, bit), "byte " + std::to_string(byte));
    }
  }
  for (std::size_t byte = 56; byte < content.size(); byte += 9) {
    expect_corrupt(folder, flipped(byte, byte % 8), "byte " + std::to_string(byte));
  }
  expect_corrupt(folder, std::string(5000, '\0'), "all zero");
}

TEST(Table, AnotherVersionsIsNamed) {
  const TemporaryFolder folder;
  Table::write(folder.path(), some_key, some_payload(200));
  std::string content = content_of(folder.path() / file_name(some_key));
  content[8] = 2;
  const Error error = refused([&] { return Table(folder.file("newer", content)); });
  EXPECT_EQ(error.kind(), ErrorKind::corrupt);
  EXPECT_NE(std::string(error.what()).find("of format 2, expected 1"), std::string::npos)
      << error.what();
}

// As a later version may write it, with a good checksum.
TEST(Table, OfAnUnknownKindSizeOrMetricIsCorrupt) {
  const TemporaryFolder folder;
  TableKey kind = some_key;
  kind.kind = static_cast<TableKind>(8);
  TableKey size = some_key;
  size.size = {13, 5};
  TableKey metric = some_key;
  metric.metric = static_cast<Metric>(2);
  for (const TableKey& key : {kind, size, metric}) {
    Table::write(folder.path(), key, some_payload(3));
    expect_corrupt(folder, content_of(folder.path() / file_name(key)), file_name(key));
  }
}

}  // namespace
}  // namespace tessera
