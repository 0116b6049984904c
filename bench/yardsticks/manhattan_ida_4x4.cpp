// SPDX-License-Identifier: MIT
// A yardstick: plain IDA* with Manhattan distance on 4x4, goal first. Reads lines "id length tiles...", prints id, given length, found length, nodes, seconds.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <chrono>
#include <array>
using u64=uint64_t;
constexpr int iabs(int x){return x<0?-x:x;}
constexpr uint32_t worse(int N,int B){uint32_t m=0;for(int t=1;t<16;t++){int dn=iabs(N/4-t/4)+iabs(N%4-t%4),db=iabs(B/4-t/4)+iabs(B%4-t%4);if(db>dn)m|=1u<<t;}return m;}
static u64 nodes;
template<int B,int P> static bool dfs(u64 b,int slack){
  ++nodes;
  constexpr int r=B/4,c=B%4;
  if constexpr(B==0){ if(b==0xfedcba9876543210ull) return true; }
#define MV(N) { constexpr uint32_t w=worse(N,B); u64 t=(b>>(4*(N)))&15; int s=slack-(int)((w>>t)&1); if(s>=0){ u64 nb=b^((t<<(4*(N)))|(t<<(4*B))); if(dfs<N,B>(nb,s))return true; } }
  if constexpr(r>0&&P!=B-4) MV(B-4)
  if constexpr(c>0&&P!=B-1) MV(B-1)
  if constexpr(c<3&&P!=B+1) MV(B+1)
  if constexpr(r<3&&P!=B+4) MV(B+4)
  return false;
}
using F=bool(*)(u64,int);
template<int...I> constexpr std::array<F,16> mk(std::integer_sequence<int,I...>){return {&dfs<I,-99>...};}
int main(int argc,char**argv){
  auto tab=mk(std::make_integer_sequence<int,16>());
  int id,len; double T=0; u64 N=0;
  int a[16];
  while(true){
    if(scanf("%d %d",&id,&len)!=2)break; u64 b=0;int z=0;for(int i=0;i<16;i++){scanf("%d",a+i);b|=(u64)a[i]<<(4*i);if(!a[i])z=i;}
    int h=0;for(int i=0;i<16;i++)if(a[i])h+=abs(i/4-a[i]/4)+abs(i%4-a[i]%4);
    nodes=0;auto t0=std::chrono::steady_clock::now();int bd=h;
    while(!tab[z](b,(bd-h)/2))bd+=2;
    double s=std::chrono::duration<double>(std::chrono::steady_clock::now()-t0).count();T+=s;N+=nodes;
    printf("%d %d %d %llu %.3f %.1fM/s\n",id,len,bd,(unsigned long long)nodes,s,nodes/s/1e6);fflush(stdout);
  }
  printf("total %llu %.2f s\n",(unsigned long long)N,T);
}
