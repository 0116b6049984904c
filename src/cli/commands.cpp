// SPDX-License-Identifier: MIT
#include "cli/options.hpp"

namespace tessera {
namespace {

constexpr CommandSpec commands[] = {
    {on_solve, "solve", "Solve one board or many, optimally", "[BOARD]",
     "tessera solve \"14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3\" --goal first\n"
     "mpirun -np 4 tessera solve --set korf100:1-10 --threads 1\n"
     "tessera solve --file boards.txt --json results.jsonl\n",
     "Solves boards with the fewest moves there are and proves it, by iterative deepening "
     "(IDA*) unless another engine is named. A board is given in words, in a file or by the "
     "name of a built-in set. Under mpirun or srun the ranks search together. A person reads a "
     "row for each bound, the solution and where the time went; scripts read --json. A board "
     "that cannot be solved is an answer, too."},
    {on_compare, "compare", "Time engines and backends against one another on the same boards",
     "[BOARD]",
     "tessera compare --set haskell --engines ida,iddfs-pruned --backends serial,threads\n"
     "mpirun -np 2 --bind-to none tessera compare --set korf100:88 --heuristics manhattan "
     "--workers "
     "2 --json 88.json\n"
     "tessera compare --set korf100:88 --heuristics manhattan --study threads --csv threads.csv\n",
     "Searches the same boards with every combination of engines, heuristics, backends and numbers "
     "of workers, some times each and in turn, so that a machine that drifts favors none. Shows "
     "medians, speedup and efficiency against one worker, nodes beyond those of serial search and "
     "where the time went, and says in words which is faster and whether that is more than noise. "
     "Under mpirun the other ranks sleep while serial search and threads run."},
    {on_estimate, "estimate", "Predicted nodes and time of each bound, before a long search",
     "[BOARD]",
     "tessera estimate --set korf100:88 --heuristic manhattan\n"
     "tessera estimate --set korf50:1 --heuristic pdb:6-6-6-6 --json -\n",
     "Samples the search tree of each board and predicts, with ranges, the nodes and the time "
     "of each bound on this machine or these ranks, the memory that is needed and a request to "
     "a batch system. It takes the options of solve. solve --dry-run is the same."},
    {on_simulate, "simulate", "Replay a recorded search on more ranks than there are", "FILE",
     "tessera solve --set korf100:88 --heuristic manhattan --record 88.record\n"
     "tessera simulate 88.record --ranks 16,256,4096,65536 --latency 2us --work 10s\n",
     "Replays the subtrees that solve --record wrote, with their costs, on any number of "
     "ranks, by the rules that real ranks follow: how long it would take, how well the ranks "
     "would be used and how many messages they would send."},
    {on_generate, "generate", "Random solvable boards, or scrambles", "",
     "tessera generate --size 4x4 --count 10 --seed 7\n"
     "tessera generate --size 5x5 --scramble 40 --format json\n"
     "tessera generate --size 4x3 --count 10 --depth 53\n",
     "Writes boards that can be solved, a line each, as solve --file reads them. They are "
     "drawn from all boards of the size alike, or scrambled by random moves, or drawn from "
     "those of exactly one depth."},
    {on_verify, "verify", "Replay the solutions of a result file, independently of the search",
     "FILE...",
     "tessera solve --set haskell --json results.jsonl && tessera verify results.jsonl\n",
     "Replays each solution of result files on its board, with nothing of the search that "
     "found it. What does not arrive at the goal, or has another length than it says, is named "
     "and makes the exit status 1."},
    {on_report, "report", "One self-contained HTML page of plots and board replays", "FILE...",
     "tessera solve --set haskell --json results.jsonl --trace trace.json\n"
     "tessera census 4x3 --deepest 2 --json census.json\n"
     "tessera report results.jsonl trace.json census.json -o page.html\n",
     "Makes one HTML page of result files of solve, compare and census and of traces: plots of "
     "times and nodes, a timeline of threads, and a player for each solution. It needs nothing "
     "beside itself and asks no network. Every solution is replayed before it is shown."},
    {on_pdb, "pdb", "Pattern databases: build, list, verify", "build|list|verify [FILE...]",
     "tessera pdb build --size 4x4 --partition 7-8\n"
     "mpirun -np 4 tessera pdb build --size 5x5 --partition 6-6-6-6 --goal first\n"
     "tessera pdb list\ntessera pdb verify tables/*.pdb\n",
     "Pattern databases are tables that some heuristics look distances up in. build makes "
     "those of a partition that are missing, by all threads and ranks; list shows what lies in "
     "the folder; verify reads files whole and checks their checksums. solve makes what it "
     "needs, so that build is for making tables ahead of time."},
    {on_census, "census", "Complete search of a size: states at each depth, radius, deepest boards",
     "WxH",
     "tessera census 4x3\n"
     "tessera census 6x2 --metric multi --goal cell:3 --deepest 3\n"
     "mpirun -np 2 tessera census 7x2 --checkpoint kept --resume\n"
     "tessera census 7x2 --memory 1GiB --disk /scratch\n"
     "tessera census 4x4 --plan --ranks 80 --memory 24GiB\n",
     "Searches all boards of a size breadth-first from the goal: how many there are at each "
     "depth, how deep the deepest is and which these are. Under mpirun the ranks share the "
     "boards. --plan says beforehand what it takes."},
    {on_serve, "serve", "A local web page: play, scramble, watch the optimal solution", "",
     "tessera serve\ntessera serve --port 9000 --threads 4\n",
     "Serves a page to a browser on this machine: play a board, scramble it, and watch the "
     "search and the optimal solution. It listens on 127.0.0.1 alone unless --host says "
     "otherwise, and ends with Ctrl-C."},
    {on_info, "info", "Build, CPU, ranks, threads, binding, memory; what auto would choose", "",
     "tessera info\nmpirun -np 4 tessera info\n",
     "Tells what this build and machine are, how many CPUs each rank may use, where tables are "
     "kept, and what solve would choose where it is left the choice."},
};

}  // namespace

std::span<const CommandSpec> command_specs() {
  return commands;
}

}  // namespace tessera
