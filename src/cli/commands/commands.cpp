// SPDX-License-Identifier: MIT
#include "cli/options/options.hpp"
#include "cli/process/context.hpp"

namespace tessera {
namespace {

constexpr CommandSpec commands[] = {
    {on_solve, "solve", "Solve one board or many, optimally", "[BOARD]",
     "tessera solve \"14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3\" --goal first\n"
     "mpirun -np 2 tessera solve --set korf100:1-10 --threads 1\n"
     "tessera solve --file boards.txt --json results.jsonl\n"
     "tessera generate 4x4 --count 5 | tessera solve --file - --stream\n",
     "Finds a solution with the fewest moves and proves that none is shorter, by iterative "
     "deepening (IDA*) unless another engine is given. A board is given on the command line, in a "
     "file or by the name of a built-in set. Under mpirun or srun all ranks search together. "
     "Prints a row per bound, the solution and where the time went; --json is for scripts, and "
     "--stream for programs that send boards one at a time. "
     "Unsolvable boards are detected immediately.",
     command_solve},
    {on_compare, "compare", "Compare the speed of engines and backends on the same boards",
     "[BOARD]",
     "tessera compare --set haskell --engines ida,iddfs-pruned --backends serial,threads\n"
     "mpirun -np 2 --bind-to none tessera compare --set korf100:88 --heuristics manhattan "
     "--workers 2 --json 88.json\n"
     "tessera compare --set korf100:88 --heuristics manhattan --study threads --csv threads.csv\n",
     "Searches the same boards with every combination of engines, heuristics, backends and numbers "
     "of workers, several times each. Runs are interleaved, so that a machine that drifts favors "
     "none. Prints medians, speedup and efficiency against serial search, search overhead and "
     "where the time went, and which configuration is faster and whether the difference is "
     "significant. Under mpirun the other ranks sleep while serial search and threads run.",
     command_compare},
    {on_estimate, "estimate", "Predict nodes and time of each bound before a long search",
     "[BOARD]",
     "tessera estimate --set korf100:88 --heuristic manhattan\n"
     "tessera estimate --set korf50:1 --heuristic pdb:6-6-6-6 --json -\n",
     "Samples the search tree of each board and predicts, with ranges, the nodes and the time "
     "of each bound on this machine or these ranks, the memory and a SLURM request. The options of "
     "solve describe the search to predict; no checkpoint, record, trace or log is written. solve "
     "--dry-run prints the same for ida, but builds no tables and runs no "
     "beam search; for engines that store boards, it prints the memory instead.",
     command_estimate},
    {on_simulate, "simulate", "Replay a recorded search on any number of simulated ranks", "FILE",
     "tessera solve --set korf100:88 --heuristic manhattan --record 88.record\n"
     "tessera simulate 88.record --ranks 16,256,4096,65536 --latency 2us --work 10s\n",
     "Replays the subtrees that solve --record wrote, with their costs, on any number of "
     "simulated ranks with the protocol of real ones, and prints makespan, efficiency and "
     "messages.",
     command_simulate},
    {on_generate, "generate", "Random solvable boards, or scrambles", "WxH",
     "tessera generate 4x4 --count 10 --seed 7\n"
     "tessera generate 5x5 --scramble 40 --format json\n"
     "tessera generate 4x3 --count 10 --depth 53 --seed random\n",
     "Writes solvable boards, one per line, as solve --file reads them: uniformly random, "
     "scrambled by random moves, or random among those of one depth.",
     command_generate},
    {on_moves, "moves",
     "Apply moves to a board: the final board, the lengths, the inverse, the mirror image",
     "BOARD MOVES",
     "tessera moves \"1 2 3/4 5 6/7 8 0\" \"R2 D L U\"\n"
     "tessera moves \"1 2 3/4 5 6/7 8 0\" RRDLU --invert --notation counts\n",
     "Applies moves to a board and prints the board after them and their number in both metrics. "
     "Moves are the letters U, D, L and R in either case, with spaces and repeat counts as in R3 "
     "U2; each is the direction in which a tile slides, or the blank with --moves-of blank. "
     "solve --file reads its output.",
     command_moves},
    {on_analyse, "analyse", "The distance after each move of a game, and its mistakes", "[BOARD]",
     "tessera analyse \"1 2 3/4 0 6/7 5 8\" --moves RLUL\n"
     "tessera solve --set haskell --engine greedy --json games.jsonl && tessera analyse --file "
     "games.jsonl\n",
     "Prints how far a board is from the goal after each move of a game, which moves did "
     "not reduce the distance, and a better continuation for each. Larger boards get brackets "
     "within --time-limit, which is divided among the boards of the game.",
     command_analyse},
    {on_optimize, "optimize", "Shorten a solution of any board", "[BOARD]",
     "tessera optimize \"1 2 3/4 0 6/7 5 8\" --moves RLULRL\n"
     "tessera generate 8x8 | tessera solve --file - --engine greedy --json found.jsonl && tessera "
     "optimize --file found.jsonl --time-limit 30s\n",
     "Shortens a sequence of moves without changing where it ends: solves ever longer windows of "
     "it again on all threads and ranks, each within --node-limit nodes (200,000), then runs beam "
     "searches from both ends. With --time-limit alone, beams get wider until the limit.",
     command_optimize},
    {on_verify, "verify", "Replay the solutions of a result file, independently of the search",
     "FILE...",
     "tessera solve --set haskell --json results.jsonl && tessera verify results.jsonl\n",
     "Replays each solution of result files on its board, independently of the search. Reports "
     "solutions that do not reach the goal or have another length than the file says; the exit "
     "status is then 1.",
     command_verify},
    {on_report, "report", "One self-contained HTML page of plots and board replays", "FILE...",
     "tessera solve --set haskell --json results.jsonl --trace trace.json\n"
     "tessera census 4x3 --deepest 2 --json census.json\n"
     "tessera report results.jsonl trace.json census.json -o page.html\n",
     "Writes one HTML page from result files of solve, analyse, optimize, compare, census and "
     "simulate, and from traces: plots, a timeline of threads, and a player for each solution. The "
     "page is "
     "self-contained and needs no network. Every solution is verified first.",
     command_report},
    {on_pdb, "pdb", "Pattern databases: build, list, verify", "build|list|verify [FILE...]",
     "tessera pdb build --size 4x4 --partition 7-8\n"
     "mpirun -np 4 tessera pdb build --size 5x5 --partition 6-6-6-6 --goal first\n"
     "tessera pdb list\ntessera pdb verify tables/*.pdb\n",
     "Pattern databases are tables of distances that some heuristics use. build builds the "
     "missing tables of a partition on all threads and ranks; list shows the tables in the "
     "folder; verify checks the checksums of files. solve builds what it needs, so build is for "
     "building tables ahead of time.",
     command_pdb},
    {on_census, "census", "Complete search of a size: states at each depth, radius, deepest boards",
     "WxH",
     "tessera census 4x3\n"
     "tessera census 6x2 --metric multi --goal cell:3 --deepest 3\n"
     "mpirun -np 2 tessera census 7x2 --checkpoint saved --resume\n"
     "tessera census 7x2 --memory 1GiB --disk /scratch\n"
     "tessera census 4x4 --plan --ranks 80 --memory 24GiB\n",
     "Searches all boards of a size breadth-first from the goal and prints how many there are at "
     "each depth, the radius, and the deepest boards. Under mpirun the ranks share the boards. "
     "--plan prints memory, disk and time beforehand.",
     command_census},
    {on_serve, "serve", "A local web page: play, scramble, watch the optimal solution", "",
     "tessera serve\ntessera serve --port 9000 --threads 4\n",
     "Serves a web page on this machine: play a board, scramble it, and watch the search and the "
     "optimal solution. It listens on 127.0.0.1 unless --host is given; Ctrl-C stops it.",
     command_serve},
    {on_info, "info", "Build, CPU, ranks, threads, binding, memory; what auto would choose", "",
     "tessera info\nmpirun -np 4 tessera info\n",
     "Prints the build, the machine, the CPUs that each rank may use, where tables are kept, and "
     "what auto would choose.",
     command_info},
};

}  // namespace

std::span<const CommandSpec> command_specs() {
  return commands;
}

}  // namespace tessera
