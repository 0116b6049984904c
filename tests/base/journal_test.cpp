// SPDX-License-Identifier: MIT
#include "base/journal.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <new>
#include <optional>
#include <sstream>
#include <thread>

#include "base/error.hpp"
#include "base/full_disk.hpp"
#include "base/refusal.hpp"
#include "base/temporary_folder.hpp"

namespace tessera {
namespace {

constexpr const char* kind = "tessera.test/1";

const std::vector<std::string> some{"one", "two with a space", "", "four", "the last of them"};

// The error that opening it ends in.
Error refusal_of(const std::filesystem::path& path) {
  return refused([&] { return Journal(path, kind); });
}

std::vector<std::string> records(const Journal& journal) {
  std::vector<std::string> all;
  const auto take = [&](const Journal::Record& record) { all.emplace_back(record.text); };
  journal.read(0, journal.size(), take);
  all.erase(all.begin());  // the kind
  return all;
}

// Drops all records and adds these.
void replace(Journal& journal, const std::vector<std::string>& anew) {
  journal.retain([](const Journal::Record&) { return false; });
  journal.append(anew, false);
}

class JournalTest : public testing::Test {
 protected:
  // The file with `some` in it.
  std::string written() {
    Journal journal(path_, kind);
    for (const std::string& record : some) journal.append({record}, false);
    return content_of(path_);
  }
  void expect_holds(const std::vector<std::string>& expected) const {
    const Journal journal(path_, kind);
    EXPECT_EQ(records(journal), expected);
    EXPECT_FALSE(journal.dropped());
    EXPECT_EQ(journal.size(), content_of(path_).size());
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "journal";
};

TEST_F(JournalTest, KeepsWhatIsAdded) {
  {
    Journal journal(path_, kind);
    EXPECT_TRUE(records(journal).empty());
    journal.append({some[0], some[1]}, false);
    journal.append({}, true);
    journal.append({some[2]}, true);
    EXPECT_EQ(journal.size(), content_of(path_).size());
  }
  {
    Journal journal(path_, kind);
    EXPECT_EQ(records(journal), std::vector<std::string>(some.begin(), some.begin() + 3));
    journal.append({some[3], some[4]}, false);
  }
  expect_holds(some);
}

// A kill may leave any part of the last write.
TEST_F(JournalTest, OpensWhereverItWasCut) {
  const std::string whole = written();
  std::size_t lines = 0;
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    const bool between = length == 0 || whole[length - 1] == '\n';
    if (length > 0 && between) ++lines;
    std::vector<std::string> kept(
        some.begin(), some.begin() + static_cast<std::ptrdiff_t>(lines > 0 ? lines - 1 : 0));
    overwrite(path_, whole.substr(0, length));
    {
      Journal journal(path_, kind);
      ASSERT_EQ(records(journal), kept) << length;
      ASSERT_EQ(journal.dropped(), !between) << length;
      // What is added next must not run into what was dropped.
      journal.append({"more"}, false);
    }
    kept.emplace_back("more");
    expect_holds(kept);
  }
}

TEST_F(JournalTest, NoticesEveryFlippedBit) {
  const std::string whole = written();
  const std::vector<std::string> all_but_one(some.begin(), some.end() - 1);
  for (std::size_t byte = 0; byte < whole.size(); ++byte) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = whole;
      damaged[byte] = static_cast<char>(damaged[byte] ^ (1 << bit));
      overwrite(path_, damaged);
      if (byte + 1 == whole.size()) {  // the last line looks unfinished
        const Journal journal(path_, kind);
        ASSERT_EQ(records(journal), all_but_one);
        ASSERT_TRUE(journal.dropped());
        continue;
      }
      SCOPED_TRACE(testing::Message() << byte << " " << bit);
      const Error error = refusal_of(path_);
      EXPECT_EQ(error.kind(), ErrorKind::corrupt);
      const auto line =
          1 + std::count(whole.begin(), whole.begin() + static_cast<long>(byte), '\n');
      EXPECT_TRUE(
          std::string(error.what()).starts_with(path_.string() + ":" + std::to_string(line) + ": "))
          << error.what();
      ASSERT_EQ(content_of(path_), damaged);
    }
  }
}

TEST_F(JournalTest, NoticesLinesThatAreLostTwiceOrSwapped) {
  std::vector<std::string> lines;
  std::istringstream text(written());
  for (std::string line; std::getline(text, line);) lines.push_back(line + "\n");
  const auto joined = [](const std::vector<std::string>& parts) {
    std::string whole;
    for (const std::string& part : parts) whole += part;
    return whole;
  };
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    std::vector<std::string> lost = lines;
    lost.erase(lost.begin() + static_cast<long>(i));
    std::vector<std::string> twice = lines;
    twice.insert(twice.begin() + static_cast<long>(i), lines[i]);
    std::vector<std::string> swapped = lines;
    std::swap(swapped[i], swapped[i + 1]);
    for (const auto& parts : {lost, twice, swapped}) {
      overwrite(path_, joined(parts));
      EXPECT_EQ(refusal_of(path_).kind(), ErrorKind::corrupt) << i;
    }
  }
}

TEST_F(JournalTest, LeavesAForeignFileAlone) {
  const std::string other_kind = "tessera.other/1";
  { const Journal other(path_, other_kind); }
  for (const std::string& foreign :
       {content_of(path_), std::string("hello"), std::string("\n"), std::string(40, '\0'),
        std::string("1 2 3 4\n5 6 7 8\n"), std::string("tessera.test/1\n")}) {
    overwrite(path_, foreign);
    EXPECT_EQ(refusal_of(path_).kind(), ErrorKind::corrupt) << foreign;
    EXPECT_EQ(content_of(path_), foreign);
  }
  overwrite(path_, "");  // nobody's
  EXPECT_NO_THROW(Journal(path_, kind));
}

TEST_F(JournalTest, OneAtATimeHasIt) {
  std::optional<Journal> first;
  first.emplace(path_, kind);
  first->append(some, false);
  const auto expect_locked = [&] {
    const Error error = refusal_of(path_);
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_NE(std::string(error.what()).find("another run"), std::string::npos);
  };
  expect_locked();
  replace(*first, {"anew"});
  expect_locked();
  first.reset();
  expect_holds({"anew"});
}

// As a run that is started again while the ranks of a killed one end.
TEST_F(JournalTest, WaitsALittleForIt) {
  std::optional<Journal> first;
  first.emplace(path_, kind);
  first->append(some, false);
  const std::jthread ending([&] { first.reset(); });
  EXPECT_EQ(records(Journal(path_, kind)), some);
}

// By a program that knows nothing of the lock.
TEST_F(JournalTest, NothingInItsPlaceIsOverwritten) {
  const std::filesystem::path elsewhere = folder_.path() / "elsewhere";
  Journal journal(path_, kind);
  journal.append(some, true);
  const auto expect_failure = [&](const auto& work) {
    const Error error = refused(work);
    EXPECT_EQ(error.kind(), ErrorKind::resource);
    EXPECT_NE(std::string(error.what()).find("by another program"), std::string::npos);
  };
  const auto expect_failures = [&] {
    EXPECT_FALSE(journal.is_in_place());
    expect_failure([&] { journal.expect_in_place(); });
    expect_failure([&] { replace(journal, {"anew"}); });
    expect_failure([&] { journal.rename_to(folder_.path() / "aside"); });
  };
  std::filesystem::rename(path_, elsewhere);
  expect_failures();
  overwrite(path_, "notes\n");
  expect_failures();
  EXPECT_EQ(content_of(path_), "notes\n");
  std::filesystem::rename(elsewhere, path_);
  EXPECT_TRUE(journal.is_in_place());
  std::filesystem::resize_file(path_, 3);
  expect_failures();
}

TEST_F(JournalTest, RefusesWhatIsNoFile) {
  const std::filesystem::path pipe = folder_.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::filesystem::path& path :
       {folder_.path(), folder_.path() / "no" / "such", pipe, std::filesystem::path("/dev/null"),
        std::filesystem::path("/dev/full"), std::filesystem::path("")}) {
    SCOPED_TRACE(path);
    const Error error = refusal_of(path);
    EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
  }
}

TEST_F(JournalTest, AFullDiskCostsNothingThatWasThere) {
  const std::uint64_t enough = written().size();
  const std::vector<std::string> big{"small", std::string(300, 'x'), "another"};
  for (std::uint64_t room = 0; room < 370; room += 13) {
    {
      Journal journal(path_, kind);
      const std::string before = content_of(path_);
      const FullDisk full(enough + room);
      SCOPED_TRACE(room);
      const Error error = refused([&] { journal.append(big, room % 2 == 0); });
      EXPECT_EQ(error.kind(), ErrorKind::resource);
      EXPECT_TRUE(std::string(error.what()).starts_with(path_.string() + ": cannot be written"));
      EXPECT_EQ(content_of(path_), before);
      EXPECT_EQ(journal.size(), before.size());
    }
    expect_holds(some);
  }
  Journal journal(path_, kind);
  {
    const FullDisk full(enough);
    EXPECT_THROW(journal.append({"lost"}, false), Error);
  }
  journal.append({"kept"}, false);  // there is room again
  const std::string now = content_of(path_);
  EXPECT_NE(now.find(" kept\n"), std::string::npos);
  EXPECT_EQ(now.find("lost"), std::string::npos);
}

TEST_F(JournalTest, ReplacesAllOrNothing) {
  (void)written();
  const std::vector<std::string> anew{"new", "records"};
  {
    Journal journal(path_, kind);
    {
      const FullDisk full(40);
      EXPECT_THROW(journal.retain([](const Journal::Record&) { return true; }), Error);
    }
    EXPECT_THROW(journal.retain([](const Journal::Record&) -> bool { throw std::bad_alloc(); }),
                 std::bad_alloc);
    EXPECT_EQ(folder_.entries(), std::vector<std::string>{"journal"});
    journal.append({"after"}, false);
    EXPECT_EQ(journal.size(), content_of(path_).size());
  }
  std::vector<std::string> more = some;
  more.emplace_back("after");
  expect_holds(more);
  {
    Journal journal(path_, kind);
    replace(journal, anew);
    EXPECT_EQ(folder_.entries(), std::vector<std::string>{"journal"});
    journal.append({"after"}, true);
    EXPECT_EQ(journal.size(), content_of(path_).size());
  }
  expect_holds({"new", "records", "after"});
  // A kill in the middle leaves the draft, which nobody reads.
  (void)folder_.file("journal.new", "half of a li");
  {
    Journal journal(path_, kind);
    replace(journal, anew);
  }
  expect_holds(anew);
}

TEST(Journal, ALinkIsNeitherFollowedNorReplaced) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "journal";
  const std::string other = folder.file("other", "");
  std::filesystem::create_symlink(other, path);
  const Error error = refusal_of(path);
  EXPECT_EQ(error.kind(), ErrorKind::input);
  EXPECT_NE(std::string(error.what()).find("symbolic link"), std::string::npos) << error.what();
  EXPECT_EQ(content_of(other), "");
}

TEST(Journal, AFileBesideItIsNoDraft) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "journal";
  const std::string other = folder.file("other", "precious");
  std::filesystem::create_symlink(other, folder.path() / "journal.new");
  {
    Journal journal(path, kind);
    journal.append(some, false);
    replace(journal, {"one"});
  }
  EXPECT_EQ(content_of(other), "precious");
  EXPECT_EQ(records(Journal(path, kind)), std::vector<std::string>{"one"});
  EXPECT_EQ(folder.entries().size(), 3U);
}

}  // namespace
}  // namespace tessera
