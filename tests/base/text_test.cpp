// SPDX-License-Identifier: MIT
#include "base/text.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace tessera {
namespace {

using namespace std::chrono_literals;

TEST(Text, IntegersAreWholeAndNothingElse) {
  EXPECT_EQ(parse_integer("42"), 42);
  EXPECT_EQ(parse_integer("-1"), -1);
  EXPECT_EQ(parse_integer("+7"), 7);
  for (const char* bad :
       {"", "+", "+-5", "-+5", " 1", "1 ", "1x", "x", "1.5", "99999999999999999999"}) {
    EXPECT_FALSE(parse_integer(bad)) << bad;
  }
}

TEST(Text, DurationsCombineUnits) {
  EXPECT_EQ(parse_duration("200ms"), 200ms);
  EXPECT_EQ(parse_duration("30s"), 30s);
  EXPECT_EQ(parse_duration("5m"), 5min);
  EXPECT_EQ(parse_duration("1h30m"), 90min);
  EXPECT_EQ(parse_duration("2us"), 2us);
  EXPECT_EQ(parse_duration("1.5s"), 1500ms);
  EXPECT_EQ(parse_time("1.5s"), parse_time("1.5"));
  EXPECT_EQ(parse_time("90"), 90s);
  for (const char* bad : {"", ".", "1m30", "-1", "1e3"}) EXPECT_FALSE(parse_time(bad)) << bad;
  for (const char* bad : {"", "5", "s", "-1s", "1d", "1h30", "1 s"}) {
    EXPECT_FALSE(parse_duration(bad)) << bad;
  }
  for (const char* large : {"99999999h", "200000h200000h", "99999999999999999999999s"}) {
    EXPECT_THROW((void)parse_duration(large), Error) << large;
  }
}

TEST(Text, SizesInBytes) {
  EXPECT_EQ(parse_bytes("4096"), 4096U);
  EXPECT_EQ(parse_bytes("512MiB"), 512ULL << 20);
  EXPECT_EQ(parse_bytes("8GiB"), 8ULL << 30);
  EXPECT_EQ(parse_bytes("0.5KiB"), 512U);
  for (const char* binary : {"8G", "8g", "8gib", "8192M", "8388608K"}) {
    EXPECT_EQ(parse_bytes(binary), 8ULL << 30) << binary;
  }
  for (const char* decimal : {"8GB", "8gb", "8000MB", "8000000KB", "0.008TB"}) {
    EXPECT_EQ(parse_bytes(decimal), 8'000'000'000U) << decimal;
  }
  for (const char* bad : {"", "GiB", "1PB", "-1", "1 GiB", "1Gi", "1G2"}) {
    EXPECT_FALSE(parse_bytes(bad)) << bad;
  }
  for (const char* large : {"9999999999TiB", "8388608TiB", "9223372036854775808"}) {
    EXPECT_THROW((void)parse_bytes(large), Error) << large;
  }
}

TEST(Text, ListsKeepWhatIsInBraces) {
  EXPECT_EQ(split_list("a, max(b,c),pdb:{1,2}{3,4}"),
            (std::vector<std::string>{"a", "max(b,c)", "pdb:{1,2}{3,4}"}));
}

TEST(Text, NearestNameOnlyWhereOneIsNear) {
  const std::vector<std::string> names{"manhattan", "misplaced", "zero"};
  EXPECT_EQ(nearest_name("manhatan", names), "manhattan");
  EXPECT_EQ(nearest_name("zeros", names), "zero");
  EXPECT_EQ(nearest_name("MANHATAN", names), "manhattan");
  EXPECT_EQ(nearest_name("walking", names), "");
  EXPECT_EQ(nearest_name("--time", std::vector<std::string>{"--file", "--time-limit"}),
            "--time-limit");
}

TEST(Text, ForeignTextStaysOnOneLine) {
  EXPECT_EQ(quote("a\nb"), "'a?b'");
  EXPECT_EQ(quote(std::string(100, 'x')).size(), 45U);
}

TEST(Text, QuotesShowVisibleUtf8AndNothingElse) {
  EXPECT_EQ(quote("m\u00e4n \u65e5\U0001F600"), "'m\u00e4n \u65e5\U0001F600'");
  EXPECT_EQ(quote("a\xe4z"), "'a?z'");  // Latin-1
  EXPECT_EQ(quote("\xc3"), "'?'");      // cut off
  EXPECT_EQ(quote("\xc0\xaf\xed\xa0\x80"),
            "'" + std::string(5, '?') + "'");  // overlong, half of a pair
  EXPECT_EQ(quote("\u0085\u202e\u2028\ufeff"), "'" + std::string(11, '?') + "'");
  EXPECT_EQ(quote(std::string(39, 'x') + "\u00e4y"), "'" + std::string(39, 'x') + "\u00e4...'");
}

}  // namespace
}  // namespace tessera
