#include "interpole/report/style.hpp"

namespace interpole {
namespace {

// Colours of actions (.c0 … .c6) are Okabe and Ito's hues; the pale ones are deepened on white ground, the
// deep ones lightened on dark ground, until every line stands out.
constexpr std::string_view kStyle = R"css(
:root{--page:#faf9f6;--card:#fff;--ink:#1c2128;--soft:#59636e;--rule:#dcd9d2;--faint:#ece9e3;--accent:#0b5a8a;
--warn:#fff3d6;--warn-ink:#5c4300;--warn-rule:#e0a92b;
--c0:#0072b2;--c1:#009e73;--c2:#d55e00;--c3:#b5578d;--c4:#c98700;--c5:#3d9fd3;--c6:#8f8600}
@media (prefers-color-scheme:dark){:root{--page:#14171b;--card:#1b1f25;--ink:#e9e7e2;--soft:#a2acb7;--rule:#363d47;
--faint:#262b33;--accent:#7cc0ee;--warn:#33290f;--warn-ink:#f5d98f;--warn-rule:#9a7418;
--c0:#56b4e9;--c1:#2fc79b;--c2:#f0803c;--c3:#e39cc5;--c4:#e9b13e;--c5:#a5d8f5;--c6:#f0e442}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);
font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{max-width:60rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}
h1,h2,h3{font-family:Charter,"Iowan Old Style","Palatino Linotype",Georgia,"Liberation Serif",serif;line-height:1.2;
font-weight:600;overflow-wrap:anywhere}
h1{font-size:2.5rem;margin:.2rem 0 .6rem}
h2{font-size:1.5rem;margin:0 0 .5rem}
h3{font-size:1.1rem;margin:0 0 .35rem}
p,ul{margin:.5rem 0;max-width:46rem;overflow-wrap:anywhere}
section{background:var(--card);border:1px solid var(--rule);border-radius:10px;padding:1.5rem 1.5rem 1.25rem;
margin:1.5rem 0}
.eyebrow{color:var(--accent);font-size:.8rem;font-weight:600;letter-spacing:.08em;text-transform:uppercase;margin:0}
.lede{font-size:1.15rem;color:var(--soft)}
.warnings{background:var(--warn);color:var(--warn-ink);border:1px solid var(--warn-rule);border-left-width:6px;
border-radius:8px;padding:.8rem 1.1rem;margin:1.25rem 0}
.warnings ul{margin:.3rem 0 0;padding-left:1.1rem}
.tiles{display:flex;flex-wrap:wrap;gap:.75rem 2.75rem;margin:1.5rem 0 0;padding:0}
.tiles div{display:flex;flex-direction:column-reverse}
.tiles dt{color:var(--soft);font-size:.9rem}
.tiles dd{margin:0;font-size:1.9rem;font-weight:600;line-height:1.15;font-variant-numeric:tabular-nums}
figure{margin:1rem 0 0}
figure+figure{border-top:1px solid var(--rule);margin-top:1.5rem;padding-top:1.25rem}
figcaption{color:var(--soft);font-size:.9rem;max-width:46rem;overflow-wrap:anywhere}
.finding{font-size:1.05rem}
ul.plain{list-style:none;padding:0}
ul.plain li{margin:.15rem 0}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.3rem 1.3rem;margin:.75rem 0;padding:0;max-width:none;
font-size:.9rem}
.legend li{display:flex;align-items:center;gap:.45rem;min-width:0}
.legend span{overflow-wrap:anywhere}
.legend svg{flex:none}
.scroll{overflow-x:auto}
.charts{display:flex;flex-wrap:wrap;gap:1rem;align-items:flex-start}
svg.chart{display:block;max-width:100%;min-width:35rem;height:auto}
svg.hidden{position:absolute}
details{margin:.75rem 0 .25rem;font-size:.92rem}
summary{cursor:pointer;color:var(--accent);width:fit-content}
table{border-collapse:collapse;margin:.75rem 0;font-size:.92rem;font-variant-numeric:tabular-nums}
caption{text-align:left;color:var(--soft);padding-bottom:.35rem}
th,td{text-align:left;padding:.35rem 1.1rem .35rem 0;border-bottom:1px solid var(--faint);vertical-align:top;
max-width:20rem;overflow-wrap:anywhere}
thead th{color:var(--soft);font-weight:500;border-bottom-color:var(--rule);vertical-align:bottom}
tbody th{font-weight:500}
td .bar{display:block;margin-top:.2rem}
td small{color:var(--soft)}
footer{color:var(--soft);font-size:.85rem;margin-top:2rem}
text{fill:var(--ink);font-size:13px}
text.soft,text.small{fill:var(--soft)}
text.small{font-size:11.5px}
text.strong{font-weight:600}
text.halo{paint-order:stroke;stroke:var(--card);stroke-width:4px;stroke-linejoin:round}
.c0{--c:var(--c0)}.c1{--c:var(--c1)}.c2{--c:var(--c2)}.c3{--c:var(--c3)}.c4{--c:var(--c4)}.c5{--c:var(--c5)}
.c6{--c:var(--c6)}
.tint{fill:var(--c);fill-opacity:.15}
.hatch{fill:none;stroke:var(--c);stroke-opacity:.4;stroke-width:1;stroke-linecap:round}
.region{stroke:none}
.wash{fill:var(--c);fill-opacity:.07}
.edge{fill:none;stroke:var(--c);stroke-width:3}
.curve{fill:none;stroke:var(--c);stroke-width:2.5;stroke-linejoin:round}
.axis{stroke:var(--soft);stroke-width:1;fill:none}
.grid{stroke:var(--rule);stroke-width:1;stroke-opacity:.7}
.boundary{stroke:var(--ink);stroke-width:1.25;stroke-dasharray:5 4;fill:none}
.count{fill:var(--soft);fill-opacity:.55}
.withheld{fill:none;stroke:var(--soft);stroke-width:1;stroke-dasharray:2 2}
.trail{fill:none;stroke:var(--ink);stroke-width:2;stroke-linejoin:round;stroke-opacity:.8}
.marker{fill:var(--c);stroke:var(--card);stroke-width:1.5}
.glyph{fill:none;stroke:var(--ink);stroke-width:1.5}
.full{fill:var(--ink)}
.after{fill:var(--card);stroke:var(--ink);stroke-width:2}
.track{fill:var(--faint)}
.agent{fill:var(--c0)}
.world{stroke:var(--ink);stroke-width:2}
@media (max-width:40rem){main{padding:1.25rem .6rem 2rem}section{padding:1rem .8rem}h1{font-size:1.9rem}}
@media print{:root{--page:#fff;--card:#fff;--ink:#000;--soft:#444;--rule:#bbb;--faint:#e4e4e4;--accent:#000;
--warn:#fff;--warn-ink:#000;--warn-rule:#000;
--c0:#0072b2;--c1:#009e73;--c2:#d55e00;--c3:#b5578d;--c4:#c98700;--c5:#3d9fd3;--c6:#8f8600}
body{font-size:10.5pt;-webkit-print-color-adjust:exact;print-color-adjust:exact}
main{max-width:none;padding:0}section{border:0;padding:0;border-radius:0}
figure,tr,h2,h3{break-inside:avoid}h2,h3{break-after:avoid}svg.chart{min-width:0}.scroll{overflow:visible}}
)css";

}  // namespace

std::string_view report_style() {
  return kStyle;
}

}  // namespace interpole
