// SPDX-License-Identifier: MIT
// A sketch to measure against: depth-first search that expands the top eight nodes of the stack at
// once (AVX-512), so that no branch depends on one node.
#include <immintrin.h>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
using u64 = uint64_t;
// meta: bits 0..3 blank, bits 8..11 forbidden dir mask, bits 32.. slack (units of 2)
static const u64 GOAL = 0xfedcba9876543210ull;
static int iabs(int x) {
  return x < 0 ? -x : x;
}
static const int OFF[4] = {-4, -1, 1, 4};
static bool valid(int B, int d) {
  int r = B / 4, c = B % 4;
  return d == 0 ? r > 0 : d == 1 ? c > 0 : d == 2 ? c < 3 : r < 3;
}
static u64 worse(int N, int B) {
  u64 m = 0;
  for (int t = 1; t < 16; t++) {
    int dn = iabs(N / 4 - t / 4) + iabs(N % 4 - t % 4),
        db = iabs(B / 4 - t / 4) + iabs(B % 4 - t % 4);
    if (db > dn) m |= 1ull << t;
  }
  return m;
}
alignas(64) static uint16_t WT[4][32];
alignas(64) static uint16_t VT[32];
static u64 expd;
static u64 *SB, *SM;
static inline __m512i ld(const void* p) {
  return _mm512_loadu_si512(p);
}
static bool search(u64 b, int blank, int slack) {
  size_t top = 8;  // slots 0..7 are padding
  for (int i = 0; i < 8; i++) {
    SB[i] = ~0ull;
    SM[i] = (u64)0xf00;
  }  // padding nodes: all dirs forbidden
  SB[top] = b;
  SM[top] = ((u64)slack << 32) | blank;
  top++;
  const __m512i f15 = _mm512_set1_epi64(15), one = _mm512_set1_epi64(1),
                goal = _mm512_set1_epi64(GOAL), lowmask = _mm512_set1_epi64(0xffff),
                hi = _mm512_set1_epi64(1ll << 32),
                slackmask = _mm512_set1_epi64(0xffffffff00000000ull);
  __m512i wt[4];
  for (int d = 0; d < 4; d++) wt[d] = ld(WT[d]);
  const __m512i vt = ld(VT);
  u64 n = 0;
  while (top > 8) {
    size_t base = top - 8;
    size_t cnt = 8;
    __m512i vb = ld(SB + base), vm = ld(SM + base);
    __mmask8 live = 0xff;
    if (base < 8) {
      cnt = top - 8;
      live = (__mmask8)(0xff << (8 - cnt));
    }
    n += cnt;
    if (__builtin_expect(_mm512_mask_cmpeq_epi64_mask(live, vb, goal) != 0, 0)) {
      expd += n;
      return true;
    }
    size_t w = base < 8 ? 8 : base;
    __m512i B = _mm512_and_si512(vm, f15);
    __m512i bs = _mm512_slli_epi64(B, 2);
    __m512i allow = _mm512_andnot_si512(_mm512_srli_epi64(vm, 8), _mm512_permutexvar_epi16(B, vt));
    __m512i sl = _mm512_and_si512(vm, slackmask);
#define DIR(d)                                                                                   \
  {                                                                                              \
    __m512i N = _mm512_add_epi64(B, _mm512_set1_epi64(OFF[d]));                                  \
    __m512i ns = _mm512_slli_epi64(N, 2);                                                        \
    __mmask8 ok = _mm512_mask_test_epi64_mask(live, allow, _mm512_set1_epi64(1 << (d)));         \
    __m512i t = _mm512_and_si512(_mm512_srlv_epi64(vb, ns), f15);                                \
    __m512i wv = _mm512_and_si512(_mm512_permutexvar_epi16(B, wt[d]), lowmask);                  \
    __mmask8 bad = _mm512_test_epi64_mask(_mm512_srlv_epi64(wv, t), one);                        \
    __m512i s2 = _mm512_mask_sub_epi64(sl, bad, sl, hi);                                         \
    ok = _mm512_mask_cmpge_epi64_mask(ok, s2, _mm512_setzero_si512());                           \
    __m512i nb =                                                                                 \
        _mm512_ternarylogic_epi64(vb, _mm512_sllv_epi64(t, ns), _mm512_sllv_epi64(t, bs), 0x96); \
    __m512i nm =                                                                                 \
        _mm512_ternarylogic_epi64(s2, N, _mm512_set1_epi64((u64)(1 << (3 - (d))) << 8), 0xfe);   \
    _mm512_storeu_si512(SB + w, _mm512_maskz_compress_epi64(ok, nb));                            \
    _mm512_storeu_si512(SM + w, _mm512_maskz_compress_epi64(ok, nm));                            \
    w += __builtin_popcount(ok);                                                                 \
  }
    DIR(3) DIR(2) DIR(1) DIR(0) top = w;
  }
  expd += n;
  return false;
}
int main() {
  SB = (u64*)aligned_alloc(64, 1 << 20);
  SM = (u64*)aligned_alloc(64, 1 << 20);
  for (int B = 0; B < 16; B++) {
    u64 v = 0;
    for (int d = 0; d < 4; d++) {
      if (valid(B, d)) {
        v |= 1 << d;
        WT[d][B] = worse(B + OFF[d], B);
      }
    }
    VT[B] = v;
  }
  int id, len;
  double TT = 0;
  u64 NN = 0;
  int a[16];
  while (true) {
    if (scanf("%d %d", &id, &len) != 2) break;
    u64 b = 0;
    int z = 0;
    for (int i = 0; i < 16; i++) {
      scanf("%d", a + i);
      b |= (u64)a[i] << (4 * i);
      if (!a[i]) z = i;
    }
    int h = 0;
    for (int i = 0; i < 16; i++)
      if (a[i]) h += iabs(i / 4 - a[i] / 4) + iabs(i % 4 - a[i] % 4);
    expd = 0;
    auto t0 = std::chrono::steady_clock::now();
    int bd = h;
    while (!search(b, z, (bd - h) / 2)) bd += 2;
    double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();
    TT += s;
    NN += expd;
    printf("%d %d %d %llu %.3f %.1fM/s\n", id, len, bd, (unsigned long long)expd, s,
           expd / s / 1e6);
    fflush(stdout);
  }
  printf("total %llu %.2f s  %.1fM/s\n", (unsigned long long)NN, TT, NN / TT / 1e6);
}
