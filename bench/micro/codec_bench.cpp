// SPDX-License-Identifier: MIT
// The codec of blocks of a frontier against general compressors, at the share of states (in 0.1 %)
// that a level holds. `bits` is what a state takes.
#include <benchmark/benchmark.h>
#include <lz4.h>
#include <zstd.h>

#include <bit>

#include "base/random.hpp"
#include "census/disk/block_codec.hpp"

namespace tessera::bench {
namespace {

constexpr std::size_t words_per_block = 3024;  // 24 KB

struct Block {
  std::vector<std::uint64_t> words;
  std::uint64_t count = 0;
};

Block block(std::int64_t per_mille) {
  Random random(1);
  Block made{.words = std::vector<std::uint64_t>(words_per_block)};
  for (std::uint64_t& word : made.words) {
    for (int bit = 0; bit < 60; ++bit) {  // the top four of a word stay 0
      if (random.below(1000) < static_cast<std::uint64_t>(per_mille))
        word |= std::uint64_t{1} << bit;
    }
    made.count += static_cast<std::uint64_t>(std::popcount(word));
  }
  return made;
}

void report(benchmark::State& state, const Block& made, std::size_t bytes) {
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(words_per_block * 8));
  state.counters["bits"] = 8.0 * static_cast<double>(bytes) / static_cast<double>(made.count);
}

void own_encode(benchmark::State& state) {
  const Block made = block(state.range(0));
  std::vector<std::uint8_t> bytes;
  for (auto _ : state) {
    bytes.clear();
    benchmark::DoNotOptimize(append_block(made.words, made.count, bytes));
  }
  report(state, made, bytes.size());
}

void own_decode(benchmark::State& state) {
  const Block made = block(state.range(0));
  std::vector<std::uint8_t> bytes;
  const BlockEntry entry = append_block(made.words, made.count, bytes);
  std::vector<std::uint64_t> words(words_per_block);
  for (auto _ : state) {
    if (!decode_block(entry, bytes, words)) state.SkipWithError("not the block that was encoded");
    benchmark::ClobberMemory();
  }
  report(state, made, bytes.size());
}

std::span<const char> bytes_of(const Block& made) {
  return {reinterpret_cast<const char*>(made.words.data()), made.words.size() * 8};
}

void zstd_encode(benchmark::State& state) {
  const Block made = block(state.range(0));
  const auto plain = bytes_of(made);
  std::vector<char> packed(ZSTD_compressBound(plain.size()));
  std::size_t length = 0;
  for (auto _ : state) {
    length = ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), 1);
  }
  report(state, made, length);
}

void zstd_decode(benchmark::State& state) {
  const Block made = block(state.range(0));
  const auto plain = bytes_of(made);
  std::vector<char> packed(ZSTD_compressBound(plain.size()));
  const std::size_t length =
      ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), 1);
  std::vector<char> back(plain.size());
  for (auto _ : state) {
    benchmark::DoNotOptimize(ZSTD_decompress(back.data(), back.size(), packed.data(), length));
  }
  report(state, made, length);
}

void lz4_encode(benchmark::State& state) {
  const Block made = block(state.range(0));
  const auto plain = bytes_of(made);
  std::vector<char> packed(
      static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(plain.size()))));
  int length = 0;
  for (auto _ : state) {
    length = LZ4_compress_default(plain.data(), packed.data(), static_cast<int>(plain.size()),
                                  static_cast<int>(packed.size()));
  }
  report(state, made, static_cast<std::size_t>(length));
}

void lz4_decode(benchmark::State& state) {
  const Block made = block(state.range(0));
  const auto plain = bytes_of(made);
  std::vector<char> packed(
      static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(plain.size()))));
  const int length = LZ4_compress_default(
      plain.data(), packed.data(), static_cast<int>(plain.size()), static_cast<int>(packed.size()));
  std::vector<char> back(plain.size());
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        LZ4_decompress_safe(packed.data(), back.data(), length, static_cast<int>(back.size())));
  }
  report(state, made, static_cast<std::size_t>(length));
}

BENCHMARK(own_encode)->Arg(5)->Arg(50)->Arg(180);
BENCHMARK(zstd_encode)->Arg(5)->Arg(50)->Arg(180);
BENCHMARK(lz4_encode)->Arg(5)->Arg(50)->Arg(180);
BENCHMARK(own_decode)->Arg(5)->Arg(50)->Arg(180);
BENCHMARK(zstd_decode)->Arg(5)->Arg(50)->Arg(180);
BENCHMARK(lz4_decode)->Arg(5)->Arg(50)->Arg(180);

}  // namespace
}  // namespace tessera::bench
