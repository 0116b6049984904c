// SPDX-License-Identifier: MIT
#include "pdb/table_store.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <map>
#include <optional>
#include <thread>

#include "base/error.hpp"
#include "base/lock_file.hpp"
#include "base/memory_limit.hpp"
#include "base/refusal.hpp"
#include "base/temporary_folder.hpp"
#include "pdb/pattern_table.hpp"
#include "pdb/table.hpp"

namespace tessera {
namespace {

Pattern small_pattern() {
  return canonical(make_pattern({4, 3}, 0b0000'0001'0110, 11)).pattern;
}

// Requests whose builds are counted, and end only once all users have asked; by threads and
// processes.
class CountedBuilds {
 public:
  CountedBuilds(const std::filesystem::path& folder, std::size_t users)
      : builds_(folder / "builds"), asked_(folder / "asked"), users_(users) {}

  [[nodiscard]] TableRequest request() const {
    TableRequest request = additive_request(small_pattern());
    request.build = [this, build = request.build](int threads, const TableProgress& progress) {
      add_to(builds_);
      const auto most = std::chrono::steady_clock::now() + std::chrono::seconds(30);
      while (count(asked_) < users_ && std::chrono::steady_clock::now() < most) {
        std::this_thread::yield();
      }
      return build(threads, progress);
    };
    return request;
  }
  [[nodiscard]] auto open(const std::string& tables, int threads) const {
    add_to(asked_);
    return open_table(tables, request(), threads, {});
  }
  [[nodiscard]] std::size_t builds() const { return count(builds_); }

 private:
  static void add_to(const std::filesystem::path& log) { std::ofstream(log, std::ios::app) << '.'; }
  static std::size_t count(const std::filesystem::path& log) {
    std::error_code absent;
    const auto bytes = std::filesystem::file_size(log, absent);
    return absent ? 0 : bytes;
  }

  std::filesystem::path builds_;
  std::filesystem::path asked_;
  std::size_t users_;
};

ErrorKind refusal_of(const std::string& folder, const TableRequest& request) {
  SCOPED_TRACE(folder);
  return refused([&] { return open_table(folder, request, 1, {}); }).kind();
}

TEST(TableStore, BuildsOnceAndKeeps) {
  const TemporaryFolder folder;
  const std::string tables = (folder.path() / "a" / "b").string();
  const CountedBuilds counted(folder.path(), 1);
  const TableRequest request = counted.request();
  EXPECT_FALSE(is_cached(tables, request));
  const auto table = counted.open(tables, 2);
  ASSERT_NE(table, nullptr);
  EXPECT_TRUE(is_cached(tables, request));
  EXPECT_EQ(open_table(tables, request, 1, {}), table);
  EXPECT_EQ(counted.builds(), 1U);
  const LargeBuffer expected = additive_request(small_pattern()).build(1, {});
  ASSERT_EQ(table->bytes(), expected.bytes().size());
  EXPECT_TRUE(std::equal(expected.bytes().begin(), expected.bytes().end(), table->data()));
}

TEST(TableStore, ReleasesIdleTablesTheLastUsedLast) {
  const TemporaryFolder folder;
  const std::vector<TableRequest> requests{
      additive_request(canonical(make_pattern({3, 3}, 0x3, 8)).pattern),
      additive_request(canonical(make_pattern({3, 3}, 0x7, 8)).pattern),
      additive_request(canonical(make_pattern({3, 3}, 0xf, 8)).pattern)};
  std::vector<std::shared_ptr<const Table>> used;
  std::vector<std::weak_ptr<const Table>> seen;
  for (const TableRequest& request : requests) {
    used.push_back(open_table(folder.text(), request, 1, {}));
    seen.emplace_back(used.back());
  }
  release_tables(0);
  for (const auto& one : seen) EXPECT_FALSE(one.expired());  // all are in use
  used.clear();
  (void)open_table(folder.text(), requests[0], 1, {});
  release_tables(requests[0].cost.file_bytes + requests[2].cost.file_bytes);
  EXPECT_FALSE(seen[0].expired());
  EXPECT_TRUE(seen[1].expired());
  EXPECT_FALSE(seen[2].expired());
  release_tables(0);
  EXPECT_TRUE(seen[0].expired() && seen[2].expired());
  EXPECT_NE(open_table(folder.text(), requests[1], 1, {}), nullptr);
}

TEST(TableStore, WhatEndsTheBuildingLeavesNoTable) {
  const TemporaryFolder folder;
  const TableRequest request = additive_request(small_pattern());
  EXPECT_EQ(open_table(folder.text(), request, 1, {[](double) { return false; }}), nullptr);
  EXPECT_FALSE(is_cached(folder.text(), request));
  EXPECT_NE(open_table(folder.text(), request, 1, {}), nullptr);
  EXPECT_EQ(folder.entries(), std::vector<std::string>{file_name(request.key)});
}

TEST(TableStore, ThreadsThatAskTogetherShareOne) {
  const TemporaryFolder folder;
  const std::string tables = (folder.path() / "tables").string();
  std::vector<std::shared_ptr<const Table>> opened(4);
  const CountedBuilds counted(folder.path(), opened.size());
  {
    std::vector<std::jthread> team;
    for (auto& table : opened) {
      team.emplace_back([&] { table = counted.open(tables, 1); });
    }
  }
  for (const auto& table : opened) EXPECT_EQ(table, opened[0]);
  EXPECT_NE(opened[0], nullptr);
  EXPECT_EQ(counted.builds(), 1U);
}

TEST(TableStore, AThreadMayGiveUpWhileAnotherBuilds) {
  const TemporaryFolder folder;
  std::atomic<bool> builds = false;
  std::atomic<bool> gave_up = false;
  TableRequest request = additive_request(small_pattern());
  request.build = [&, build = request.build](int threads, const TableProgress& progress) {
    builds = true;
    builds.notify_all();
    gave_up.wait(false);
    return build(threads, progress);
  };
  const std::jthread builder(
      [&] { EXPECT_NE(open_table(folder.text(), request, 1, {}), nullptr); });
  builds.wait(false);
  int asked = 0;
  EXPECT_EQ(open_table(folder.text(), request, 1, {[&](double) { return ++asked < 3; }}), nullptr);
  EXPECT_EQ(asked, 3);
  gave_up = true;
  gave_up.notify_all();
}

TEST(TableStore, OfProcessesThatAskTogetherOneBuilds) {
  const TemporaryFolder folder;
  const std::string tables = (folder.path() / "tables").string();
  const CountedBuilds counted(folder.path(), 4);
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      int status = 1;
      try {
        const auto table = counted.open(tables, 1);
        status = table && table->bytes() == counted.request().cost.file_bytes ? 0 : 2;
      } catch (const std::exception&) {
        status = 3;
      }
      _exit(status);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
  EXPECT_EQ(counted.builds(), 1U);
  std::vector<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(tables)) {
    left.push_back(entry.path().filename().string());
  }
  EXPECT_EQ(left, std::vector<std::string>{file_name(counted.request().key)});
  EXPECT_NE(counted.open(tables, 1), nullptr);
}

TEST(TableStore, WhoWaitsHearsForWhomAndMayGiveUp) {
  const TemporaryFolder folder;
  const TableRequest request = additive_request(small_pattern());
  const auto path = folder.path() / file_name(request.key);
  const auto held =
      LockFile::take_if_free(LockFile::beside(folder.path() / file_name(request.key)));
  ASSERT_TRUE(held);
  std::vector<std::string> heard;
  int asked = 0;
  const TableProgress progress{[&](double) { return ++asked < 3; },
                               [&](const std::string& text) { heard.push_back(text); }};
  EXPECT_EQ(open_table(folder.text(), request, 1, progress), nullptr);
  EXPECT_EQ(asked, 3);
  ASSERT_EQ(heard.size(), 1U);
  EXPECT_EQ(heard[0].find("waiting for " + path.string() + ", held by process "), 0U) << heard[0];
}

TEST(TableStore, TheLockOfAKilledBuildGoesWithTheNextUse) {
  const TemporaryFolder folder;
  const TableRequest request = additive_request(small_pattern());
  ASSERT_NE(open_table(folder.text(), request, 1, {}), nullptr);
  for (const bool held : {true, false}) {
    // The same folder by another name, as what was opened stays open.
    const std::string again = (folder.path() / (held ? "." : "./.")).string();
    const std::string lock =
        folder.file("." + file_name(request.key) + ".lock", "process 1 on nowhere\n");
    const auto holder = held ? LockFile::take_if_free(lock) : std::nullopt;
    EXPECT_NE(open_table(again, request, 1, {}), nullptr);
    EXPECT_EQ(std::filesystem::exists(lock), held);
  }
}

TEST(TableStore, APipeOrADeviceInItsPlaceIsRefused) {
  const TemporaryFolder folder;
  const TableRequest request = additive_request(small_pattern());
  const auto path = folder.path() / file_name(request.key);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(refusal_of(folder.text(), request), ErrorKind::input);
  std::filesystem::remove(path);
  std::filesystem::create_symlink("/dev/zero", path);
  EXPECT_EQ(refusal_of(folder.text(), request), ErrorKind::input);
}

TEST(TableStore, AnotherTableUnderItsNameIsCorrupt) {
  const TemporaryFolder folder;
  const TableRequest request = additive_request(small_pattern());
  const TableRequest other =
      additive_request(canonical(make_pattern({4, 3}, 0b0000'0001'0011, 11)).pattern);
  ASSERT_NE(request.key, other.key);
  ASSERT_NE(open_table(folder.text(), other, 1, {}), nullptr);
  const auto path = folder.path() / file_name(request.key);
  std::filesystem::rename(folder.path() / file_name(other.key), path);
  EXPECT_EQ(refusal_of(folder.text(), request), ErrorKind::corrupt);
  // Its key, but not its length.
  Table::write(folder.path(), request.key, std::vector<std::uint8_t>(100));
  EXPECT_EQ(refusal_of(folder.text(), request), ErrorKind::corrupt);
  (void)folder.file(file_name(request.key), "");
  EXPECT_EQ(refusal_of(folder.text(), request), ErrorKind::corrupt);
  // As the message advises.
  std::filesystem::remove(path);
  EXPECT_NE(open_table(folder.text(), request, 1, {}), nullptr);
}

TEST(TableStore, AFolderThatCannotBeIsBadInput) {
  const TemporaryFolder folder;
  const CountedBuilds counted(folder.path(), 0);
  const TableRequest request = counted.request();
  const std::string file = folder.file("file", "no folder");
  EXPECT_EQ(refusal_of(file, request), ErrorKind::input);
  EXPECT_EQ(refusal_of(file + "/below", request), ErrorKind::input);
  EXPECT_EQ(refusal_of((folder.path() / std::string(300, 'x')).string(), request),
            ErrorKind::input);
  // A folder of the table's name.
  std::filesystem::create_directory(folder.path() / file_name(request.key));
  EXPECT_EQ(refusal_of(folder.text(), request), ErrorKind::input);
  if (geteuid() != 0) {
    const auto closed = folder.path() / "closed";
    std::filesystem::create_directory(closed);
    std::filesystem::permissions(
        closed, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    EXPECT_EQ(refusal_of(closed.string(), request), ErrorKind::input);
  }
  // Found out before the long work.
  EXPECT_EQ(counted.builds(), 0U);
}

TEST(TableStore, NoRoomIsAResource) {
  const TemporaryFolder folder;
  const CountedBuilds counted(folder.path(), 0);
  TableRequest request = counted.request();
  request.cost.file_bytes = std::uint64_t{1} << 60;
  EXPECT_EQ(refusal_of(folder.text(), request), ErrorKind::resource);
  request = counted.request();
  request.cost.build_bytes = std::uint64_t{1} << 60;
  EXPECT_EQ(refusal_of(folder.text(), request), ErrorKind::resource);
  EXPECT_EQ(counted.builds(), 0U);
}

TEST(TableStore, TheMemoryOfOpenTablesIsNotNeededAgain) {
  constexpr std::uint64_t mib = std::uint64_t{1} << 20;
  const TemporaryFolder folder;
  const TableKey key = additive_request(small_pattern()).key;
  const TableRequest request{key, {.file_bytes = 32 * mib}, {}};
  Table::write(folder.path(), key, std::vector<std::uint8_t>(32 * mib));
  const auto expect_usable_in_16_mib = [&] {
    constexpr std::uint64_t plenty = std::uint64_t{1} << 50;
    std::uint64_t used = 0;
    {
      const LimitedMemory counted({.bytes = plenty});
      used = plenty - memory_limits().back().free;
    }
    const LimitedMemory limited({.bytes = used + 16 * mib});
    expect_usable(folder.text(), {request});
  };
  auto table = open_table(folder.text(), request, 1, {});
  EXPECT_NO_THROW(expect_usable_in_16_mib());
  table.reset();
  release_tables(0);
  EXPECT_EQ(refused([&] { return expect_usable_in_16_mib(), 0; }).kind(), ErrorKind::resource);
}

TEST(TableStore, TheDefaultFolderIsTheVariablesElseTheCache) {
  std::map<std::string, std::optional<std::string>> before;
  for (const char* const name : {"TESSERA_PDB_DIR", "XDG_CACHE_HOME", "HOME"}) {
    const char* const value = std::getenv(name);
    before[name] = value != nullptr ? std::optional<std::string>(value) : std::nullopt;
  }
  setenv("TESSERA_PDB_DIR", "/some/tables", 1);
  EXPECT_EQ(table_folder({}), "/some/tables");
  setenv("TESSERA_PDB_DIR", "", 1);
  setenv("XDG_CACHE_HOME", "/some/cache", 1);
  EXPECT_EQ(table_folder({}), "/some/cache/tessera");
  unsetenv("XDG_CACHE_HOME");
  const TemporaryFolder folder;
  setenv("HOME", folder.path().c_str(), 1);
  EXPECT_EQ(table_folder({}), folder.path() / ".cache/tessera");
  setenv("HOME", (folder.path() / "missing").c_str(), 1);
  EXPECT_THROW((void)table_folder({}), Error);
  unsetenv("HOME");
  EXPECT_THROW((void)table_folder({}), Error);
  for (const auto& [name, value] : before) {
    if (value) setenv(name.c_str(), value->c_str(), 1);
    else unsetenv(name.c_str());
  }
}

}  // namespace
}  // namespace tessera
