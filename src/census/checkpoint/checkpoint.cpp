// SPDX-License-Identifier: MIT
#include "census/checkpoint/checkpoint.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <optional>
#include <regex>
#include <sstream>
#include <utility>

#include "census/ranks/agreement.hpp"
#include "tessera/base/descriptor.hpp"
#include "tessera/base/error.hpp"
#include "tessera/base/file.hpp"

namespace tessera {
namespace {

constexpr std::string_view prefix = "census-";
constexpr std::string_view manifest_suffix = ".manifest";
constexpr std::string_view blocks_suffix = ".blocks";
const std::string manifest_head = "tessera.census-checkpoint/3";
// One line per block file: some hundred thousand of those of the largest search.
constexpr std::uint64_t most_manifest_bytes = std::uint64_t{256} << 20;
// What is encoded at once, by each thread.
constexpr std::uint64_t file_words = std::uint64_t{4} << 20;

std::string hex(std::uint64_t value) {
  std::ostringstream text;
  text << std::hex << value;
  return text.str();
}

// A file of a checkpoint: census-SET.manifest, census-SET-RUN-newer-SLAB.blocks, the same with
// older, or the draft of one, .NAME.XXXXXX.
struct SetFile {
  std::uint64_t set = 0;
  bool manifest = false;
  bool draft = false;
};

std::optional<SetFile> set_file(const std::string& name) {
  static const std::regex form(
      R"((\.?)census-([0-9]{1,18})(\.manifest|-[0-9a-f]+-(?:newer|older)-[0-9]+\.blocks)(\.\w{6})?)");
  std::smatch parts;
  if (!std::regex_match(name, parts, form)) return std::nullopt;
  const bool draft = parts[1].length() > 0;
  if (draft != parts[4].matched) return std::nullopt;
  return SetFile{std::stoull(parts[2]), parts[3].str() == manifest_suffix, draft};
}

bool holds_each_slab_once(const std::vector<BlockFile>& files, std::uint64_t slabs) {
  std::vector<SlabRange> ranges;
  for (const BlockFile& file : files) ranges.push_back(file.slabs);
  std::sort(ranges.begin(), ranges.end(),
            [](const SlabRange& a, const SlabRange& b) { return a.first < b.first; });
  std::uint64_t next = 0;
  for (const SlabRange& range : ranges) {
    if (range.first != next) return false;
    next += range.count;
  }
  return next == slabs;
}

}  // namespace

CensusCheckpoint::CensusCheckpoint(const CensusTask& task, const StateLayout& layout,
                                   Exchange& exchange, ThreadTeam& team,
                                   const LockFile::Waiting& waiting)
    : task_(task), layout_(layout), exchange_(exchange), team_(team), folder_(task.checkpoint) {
  agree(exchange, [&] {
    if (exchange.rank() != 0) return;
    expect_room(folder_, 0);
    lock_ = LockFile::take(folder_ / ".census.lock", waiting);
    if (!lock_) return;
    run_ = hex(
        static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count()));
  });
  run_ = exchange.gather(run_)[0];  // the others look only once the lock is held
  if (run_.empty()) return;
  agree(exchange, [&] {
    // Before a long search, not after it.
    for (const std::uint64_t number : numbers()) {
      next_ = std::max(next_, number + 1);
      try {
        const Set set = read_manifest(number);
        if (!depth_found_) depth_found_ = static_cast<int>(set.widths.size()) - 1;
      } catch (const Error& error) {
        if (error.kind() == ErrorKind::input) throw Error(ErrorKind::corrupt, error.what());
      }
    }
  });
}

std::filesystem::path CensusCheckpoint::manifest(std::uint64_t number) const {
  return folder_ / (std::string(prefix) + std::to_string(number) + std::string(manifest_suffix));
}

std::string CensusCheckpoint::identity() const {
  std::ostringstream text;
  text << to_string(task_.size) << " goal " << task_.goal_blank << " metric "
       << to_string(task_.metric);
  return text.str();
}

std::vector<std::uint64_t> CensusCheckpoint::numbers() const {
  std::vector<std::uint64_t> numbers;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, none)) {
    const std::optional<SetFile> file = set_file(entry.path().filename().string());
    if (file && file->manifest && !file->draft && file->set > 0) numbers.push_back(file->set);
  }
  std::sort(numbers.rbegin(), numbers.rend());
  return numbers;
}

void CensusCheckpoint::write_manifest(const Set& set) const {
  std::ostringstream text;
  text << manifest_head << "\nof " << identity() << "\nlayout " << StateLayout::version << "\ncell "
       << set.cell << "\nwidths " << set.widths.size();
  for (const std::uint64_t width : set.widths) text << ' ' << width;
  for (int level = 0; level < 2; ++level) {
    for (const BlockFile& file : set.levels[level]) {
      text << "\nfile " << level << ' ' << file.name << ' ' << file.slabs.first << ' '
           << file.slabs.count << ' ' << file.bytes << ' ' << file.checksum;
    }
  }
  std::string whole = text.str() + "\n";
  whole += "end " + hex(XXH3_64bits(whole.data(), whole.size())) + "\n";
  const std::span<const std::uint8_t> bytes{reinterpret_cast<const std::uint8_t*>(whole.data()),
                                            whole.size()};
  write_atomically(manifest(set.number), std::array{bytes});
}

// Error(input) where it is whole, but of another search. What it says is checked before any of it
// is used: the checksum finds damage, not a manifest that somebody made.
CensusCheckpoint::Set CensusCheckpoint::read_manifest(std::uint64_t number) const {
  const std::filesystem::path path = manifest(number);
  const auto damaged = [&] { throw Error(ErrorKind::corrupt, path.string() + ": is damaged"); };
  std::string text;
  try {
    text = read_file(path, most_manifest_bytes);
  } catch (const Error& error) {
    throw Error(ErrorKind::corrupt, error.what());
  }
  const std::size_t end = text.rfind("end ");
  if (end == std::string::npos ||
      text.substr(end) != "end " + hex(XXH3_64bits(text.data(), end)) + "\n") {
    damaged();
  }
  std::istringstream lines(text.substr(0, end));
  std::string line;
  if (!std::getline(lines, line)) damaged();
  if (line != manifest_head) {
    throw Error(ErrorKind::corrupt, path.string() + ": is not in the format " + manifest_head);
  }
  if (!std::getline(lines, line)) damaged();
  if (line != "of " + identity()) {
    throw Error(ErrorKind::input, path.string() + ": is " + line + ", expected " + identity());
  }
  if (!std::getline(lines, line)) damaged();
  if (const auto layout = "layout " + std::to_string(StateLayout::version); line != layout) {
    throw Error(ErrorKind::corrupt, path.string() + ": is of " + line + ", expected " + layout);
  }
  const std::optional<Set> set = parse_set(number, lines);
  if (!set) damaged();
  return *set;
}

// Empty where a line is malformed or says what cannot be.
std::optional<CensusCheckpoint::Set> CensusCheckpoint::parse_set(std::uint64_t number,
                                                                 std::istream& lines) const {
  Set set;
  set.number = number;
  set.cell = -1;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string key;
    words >> key;
    if (key == "cell") {
      words >> set.cell;
    } else if (key == "widths") {
      std::size_t count = 0;
      words >> count;
      for (std::uint64_t width = 0; set.widths.size() < count && words >> width;) {
        set.widths.push_back(width);
      }
      if (set.widths.size() != count) return std::nullopt;
    } else {
      int level = 0;
      BlockFile block;
      words >> level >> block.name >> block.slabs.first >> block.slabs.count >> block.bytes >>
          block.checksum;
      if (key != "file" || (level != 0 && level != 1) || !is_possible(block)) return std::nullopt;
      set.levels[level].push_back(block);
    }
    if (!words) return std::nullopt;
  }
  if (set.widths.size() < 2 || set.cell < 0 || set.cell >= layout_.cells()) return std::nullopt;
  return set;
}

bool CensusCheckpoint::is_possible(const BlockFile& file) const {
  const std::optional<SetFile> name = set_file(file.name);
  const bool blocks = name && !name->manifest && !name->draft;
  return (file.name == "-" ? file.bytes == 0 : blocks) && file.slabs.first <= layout_.slabs() &&
         file.slabs.count <= layout_.slabs() - file.slabs.first;
}

std::vector<std::uint64_t> CensusCheckpoint::restore(
    LevelEngine& engine, const std::function<void(const std::string&)>& notice) {
  // Rank 0 says which sets there are: a rank may see a folder a little later than another.
  std::string list;
  if (exchange_.rank() == 0) {
    for (const std::uint64_t number : numbers()) list += std::to_string(number) + " ";
  }
  std::istringstream sets(exchange_.gather(list)[0]);
  bool any = false;
  for (std::uint64_t number = 0; sets >> number;) {
    any = true;
    Set set;
    std::array<std::uint64_t, 2> states{};  // newer, older
    try {
      agree(exchange_, [&] {
        set = read_manifest(number);
        states = load(set, engine);
      });
      exchange_.sum(states);
      expect_states(set, states);
      engine.finish_fill();
      whole_ = number;
      sets >> older_;
      return set.widths;
    } catch (const CommonError& error) {
      if (exchange_.rank() == 0) notice(error.what());
    }
  }
  if (any) {
    throw CommonError(ErrorKind::corrupt,
                      folder_.string() + ": no set of this checkpoint is whole");
  }
  return {1};
}

void CensusCheckpoint::expect_states(const Set& set,
                                     const std::array<std::uint64_t, 2>& states) const {
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (states[i] == set.widths[set.widths.size() - 1 - i]) continue;
    throw CommonError(ErrorKind::corrupt, manifest(set.number).string() + ": its files hold " +
                                              std::to_string(states[i]) + " states");
  }
}

std::array<std::uint64_t, 2> CensusCheckpoint::load(const Set& set, LevelEngine& engine) {
  std::array<std::uint64_t, 2> states{};
  // Single: which planes are of which level follows from the cell.
  engine.begin_fill(set.cell);
  const LevelPlanes levels[2]{engine.current(), engine.previous()};
  for (int i = 0; i < 2; ++i) {
    const LevelPlanes& level = levels[i];
    const SlabRange& mine = level.layer->part();
    for (std::uint64_t slab = mine.first; slab < mine.first + mine.count; ++slab) {
      level.layer->active()[slab] =
          static_cast<std::uint16_t>(level.layer->active(slab) & ~level.planes);
    }
    std::vector<const BlockFile*> files;
    for (const BlockFile& file : set.levels[i]) {
      const std::uint64_t end = file.slabs.first + file.slabs.count;
      if (end > mine.first && file.slabs.first < mine.first + mine.count) files.push_back(&file);
    }
    if (!holds_each_slab_once(set.levels[i], layout_.slabs())) {
      throw Error(ErrorKind::corrupt,
                  manifest(set.number).string() + ": misses slabs, or has some twice");
    }
    if (level.layer->segments() != nullptr) {
      load_segments(set.levels[i], level);
    } else {
      team_.share(files.size(), [&](std::size_t file, int) {
        BlockCodec codec;
        read_blocks(folder_, *files[file], layout_, level, codec);
      });
    }
    for (std::uint64_t slab = mine.first; slab < mine.first + mine.count; ++slab) {
      for (int plane = 0; plane < level.layer->planes(); ++plane) {
        if (level.active(slab, plane)) {
          states[static_cast<std::size_t>(i)] += level.layer->count(slab, plane);
        }
      }
    }
  }
  return states;
}

// Blocks go as they are from files into segments, whose batches may be others.
void CensusCheckpoint::load_segments(const std::vector<BlockFile>& files,
                                     const LevelPlanes& level) {
  SegmentStore& segments = *level.layer->segments();
  const std::size_t group = segments.group_of(level.planes);
  std::vector<const BlockFile*> by_slab;
  for (const BlockFile& file : files) by_slab.push_back(&file);
  std::sort(by_slab.begin(), by_slab.end(),
            [](const BlockFile* a, const BlockFile* b) { return a->slabs.first < b->slabs.first; });
  const auto planes = static_cast<std::size_t>(std::popcount(level.planes));
  std::vector<std::unique_ptr<BlockFileReader>> readers(by_slab.size());
  std::size_t first = 0;
  for (std::size_t index = 0; index < segments.batches(); ++index) {
    const SlabRange batch = segments.batch(index);
    std::vector<BlockEntry> entries(planes * batch.count);
    std::vector<std::uint8_t> bytes;
    for (std::size_t place = 0; place < planes; ++place) {
      std::size_t file = first;
      for (std::uint64_t i = 0; i < batch.count; ++i) {
        const std::uint64_t slab = batch.first + i;
        while (file < by_slab.size() && !by_slab[file]->slabs.contains(slab)) ++file;
        if (file == by_slab.size()) {
          throw Error(ErrorKind::corrupt, folder_.string() + ": a set misses slabs");
        }
        if (!readers[file]) {
          readers[file] = std::make_unique<BlockFileReader>(folder_, *by_slab[file], level.planes);
        }
        const std::span<const std::uint8_t> block =
            readers[file]->block(static_cast<int>(place), slab);
        entries[place * batch.count + i] = readers[file]->entry(static_cast<int>(place), slab);
        bytes.insert(bytes.end(), block.begin(), block.end());
      }
    }
    for (std::uint64_t i = 0; i < batch.count; ++i) {
      std::size_t place = 0;
      for (int plane = 0; plane < level.layer->planes(); ++plane) {
        if ((level.planes >> plane & 1) == 0) continue;
        level.layer->set_count(batch.first + i, plane, entries[place++ * batch.count + i].count);
      }
      level.layer->refresh(batch.first + i, level.planes);
    }
    Bytes data(bytes.size());
    std::copy(bytes.begin(), bytes.end(), data.data.get());
    segments.replace(index, group, std::move(entries), std::move(data));
    for (; first < by_slab.size() &&
           by_slab[first]->slabs.first + by_slab[first]->slabs.count <= batch.first + batch.count;
         ++first) {
      readers[first].reset();
    }
  }
}

std::string CensusCheckpoint::file_name(std::uint64_t set, int which, std::uint64_t slab) const {
  std::ostringstream name;
  name << prefix << set << '-' << run_ << (which == 0 ? "-newer-" : "-older-") << slab
       << blocks_suffix;
  return name.str();
}

std::vector<BlockFile> CensusCheckpoint::write_level(const LevelPlanes& level, int which,
                                                     std::uint64_t set) {
  const SlabRange& mine = level.layer->part();
  const std::uint64_t slab_words =
      static_cast<std::uint64_t>(std::popcount(level.planes)) * layout_.words();
  const std::uint64_t at_once = std::max<std::uint64_t>(1, file_words / slab_words);
  std::vector<BlockFile> files;
  for (std::uint64_t done = 0; done < mine.count; done += at_once) {
    BlockFile& file = files.emplace_back();
    file.slabs = {mine.first + done, std::min(at_once, mine.count - done)};
    file.name = file_name(set, which, file.slabs.first);
  }
  team_.share(files.size(), [&](std::size_t file, int) {
    BlockCodec codec;
    write_blocks(folder_, files[file], layout_, level, codec);
  });
  for (const BlockFile& file : files) bytes_written_ += file.bytes;
  return files;
}

// Segments in files get a second name, which stays when the search has done with them.
std::vector<BlockFile> CensusCheckpoint::link_level(const LevelPlanes& level, int which,
                                                    std::uint64_t set) {
  SegmentStore& segments = *level.layer->segments();
  const std::size_t group = segments.group_of(level.planes);
  for (std::size_t batch = 0; batch < segments.batches(); ++batch) {
    segments.make_file(batch, group);
  }
  segments.spill().flush();
  std::vector<BlockFile> files;
  for (std::size_t batch = 0; batch < segments.batches(); ++batch) {
    const SlabRange slabs = segments.batch(batch);
    const Segment& segment = segments.segment(batch, group);
    if (!segment.file && !files.empty() && files.back().bytes == 0) {
      files.back().slabs.count += slabs.count;
      continue;
    }
    BlockFile& file = files.emplace_back();
    file.slabs = slabs;
    if (!segment.file) {
      file.name = "-";
      continue;
    }
    file.name = file_name(set, which, slabs.first);
    file.bytes = segment.file->bytes;
    file.checksum = segment.file->checksum;
    if (link_whole(segment.file->path(), folder_ / file.name)) continue;
    const MappedFile whole(segment.file->path());
    write_atomically(folder_ / file.name, std::array{whole.bytes()});
    bytes_written_ += file.bytes;
  }
  return files;
}

void CensusCheckpoint::keep(LevelEngine& engine, const std::vector<std::uint64_t>& widths) {
  Set set;
  set.number = next_++;
  set.widths = widths;
  const LevelPlanes levels[2]{engine.current(), engine.previous()};
  set.cell = std::countr_zero(levels[0].planes);
  std::string failure;
  std::ostringstream listed;
  try {
    for (int i = 0; i < 2; ++i) {
      std::vector<BlockFile>& files = set.levels[i];
      files = levels[i].layer->segments() != nullptr ? link_level(levels[i], i, set.number)
                                                     : write_level(levels[i], i, set.number);
      for (const BlockFile& file : files) {
        listed << i << ' ' << file.name << ' ' << file.slabs.first << ' ' << file.slabs.count << ' '
               << file.bytes << ' ' << file.checksum << '\n';
      }
    }
  } catch (const Error& error) {
    failure = failure_text(error);
    for (const LevelPlanes& level : levels) {
      SegmentStore* const segments = level.layer->segments();
      if (segments != nullptr) segments->forget_files(segments->group_of(level.planes));
    }
  }
  const auto agreed = [&] {
    const std::vector<std::string> failures = exchange_.gather(failure);
    const bool failed = std::any_of(failures.begin(), failures.end(),
                                    [](const std::string& text) { return !text.empty(); });
    // Older sets stand, those of an earlier search too.
    if (failed && exchange_.rank() == 0) {
      remove_sets([&](std::uint64_t number) { return number == set.number; });
    }
    throw_first_failure(failures);
  };
  agreed();
  set.levels[0].clear();
  set.levels[1].clear();
  for (const std::string& part : exchange_.gather(listed.str())) {
    std::istringstream words(part);
    int level = 0;
    BlockFile file;
    while (words >> level >> file.name >> file.slabs.first >> file.slabs.count >> file.bytes >>
           file.checksum) {
      set.levels[level].push_back(file);
    }
  }
  try {
    if (exchange_.rank() == 0) {
      write_manifest(set);
      remove_sets([&](std::uint64_t number) { return number != set.number && number != whole_; });
    }
  } catch (const Error& error) {
    failure = failure_text(error);
  }
  agreed();
  older_ = std::exchange(whole_, set.number);
}

void CensusCheckpoint::remove_sets(const std::function<bool(std::uint64_t)>& unwanted) const {
  std::error_code failure;
  std::vector<std::filesystem::path> files;
  for (std::filesystem::directory_iterator entry(folder_, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    const std::optional<SetFile> file = set_file(entry->path().filename().string());
    if (file && (file->draft || unwanted(file->set))) files.push_back(entry->path());
  }
  std::error_code ignored;
  for (const std::filesystem::path& file : files) std::filesystem::remove(file, ignored);
}

}  // namespace tessera
