// SPDX-License-Identifier: Apache-2.0
// How the page of `tenon explain --html` looks, light and dark.
#pragma once

namespace tenon::cli {

/// Colours: the host's partitions are grey; each other target has a hue, its partitions in turn two
/// shades of it. Text on any of them has a contrast of 7 to 1 or more.
inline constexpr const char *kExplainStyle = R"(
:root{color-scheme:light dark;--page:#fff;--text:#16191d;--soft:#4a525c;--line:#c6ccd4;--panel:#f4f6f8;
--edge:#7a838e;--bar:#2f6fb3;--warn:#fdeaea;--focus:#0b57d0;
--h0:#e9ebee;--h1:#dadee3;--a0:#cfe3fa;--a1:#b3d3f5;--b0:#fbdfc0;--b1:#f6cd9e;--c0:#cdeed3;--c1:#b0e2ba;
--d0:#e6d7f8;--d1:#d7c0f2;--e0:#fbd5e2;--e1:#f5bcd0}
@media (prefers-color-scheme:dark){:root{--page:#14171a;--text:#eceff2;--soft:#b4bcc6;--line:#3d454e;--panel:#1e2328;
--edge:#8c96a2;--bar:#6ea8e6;--warn:#4a1f22;--focus:#8ab4f8;
--h0:#2b3036;--h1:#363c43;--a0:#153a5e;--a1:#1c4a78;--b0:#553308;--b1:#683f0a;--c0:#12431f;--c1:#185427;
--d0:#40255f;--d1:#4e2f73;--e0:#5a1a34;--e1:#6c2040}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:15px/1.5 system-ui,sans-serif}
main,header{max-width:76rem;margin:0 auto;padding:0 1.25rem}
h1{font-size:1.6rem;margin:1.5rem 0 .25rem;overflow-wrap:anywhere}h2{font-size:1.2rem;margin:2rem 0 .5rem}
p{margin:.4rem 0;max-width:52rem}.soft{color:var(--soft)}
.facts{display:flex;flex-wrap:wrap;gap:.75rem;padding:0;margin:1rem 0;list-style:none}
.facts li{background:var(--panel);border:1px solid var(--line);border-radius:.5rem;padding:.5rem .9rem}
.facts b{display:block;font-size:1.35rem}
.faults{background:var(--warn);border:1px solid var(--line);border-radius:.5rem;padding:.5rem 1rem}
.legend{display:flex;flex-wrap:wrap;gap:.4rem;padding:0;margin:.5rem 0;list-style:none}
.legend li{border:1px solid var(--line);border-radius:.35rem;padding:.1rem .6rem}
.wide{overflow:auto;border:1px solid var(--line);border-radius:.5rem}
.graph{max-height:80vh;background:var(--panel);resize:vertical}
.sheet{position:relative;margin:0 auto}.sheet svg{position:absolute;inset:0}
.sheet path{fill:none;stroke:var(--edge);stroke-width:1.5}
.node{position:absolute;border:1px solid var(--edge);border-radius:.4rem;padding:.15rem .5rem;color:var(--text);
text-decoration:none;font-size:.8rem;line-height:1.3}
.node b,.node i{display:block;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;font-style:normal}
.tip{display:none;position:absolute;left:0;top:100%;z-index:2;width:22rem;max-width:70vw;padding:.6rem .8rem;
background:var(--page);color:var(--text);border:1px solid var(--edge);border-radius:.4rem;
box-shadow:0 .3rem 1rem #0006;font-size:.85rem;line-height:1.4;white-space:normal;overflow-wrap:anywhere}
.tip>span{display:block}.node:hover,.node:focus{z-index:3}.node:hover .tip,.node:focus .tip{display:block}
.right .tip{left:auto;right:0}
a:focus-visible,.wide:focus-visible{outline:3px solid var(--focus);outline-offset:1px}a{color:inherit}
table{border-collapse:collapse;width:100%;font-size:.9rem}
caption{text-align:left;padding:.4rem .6rem;color:var(--soft)}
.soft{font-weight:400}th,td{text-align:left;vertical-align:top;padding:.35rem .6rem;border-bottom:1px solid var(--line)}
td{overflow-wrap:anywhere}thead th{background:var(--panel)}
.number{text-align:right;white-space:nowrap}tr:target{outline:3px solid var(--focus)}
.track{display:block;height:.45rem;min-width:6rem;background:var(--line);border-radius:.25rem}
.track span{display:block;height:100%;background:var(--bar);border-radius:.25rem}
.rule{margin:0 0 .4rem}code{font-size:.95em}
.h0{background:var(--h0)}.h1{background:var(--h1)}.a0{background:var(--a0)}.a1{background:var(--a1)}
.b0{background:var(--b0)}.b1{background:var(--b1)}.c0{background:var(--c0)}.c1{background:var(--c1)}
.d0{background:var(--d0)}.d1{background:var(--d1)}.e0{background:var(--e0)}.e1{background:var(--e1)}
@media print{.graph{max-height:none}.tip{display:none!important}}
)";

} // namespace tenon::cli
