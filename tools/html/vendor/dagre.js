// SPDX-License-Identifier: GPL-3.0-or-later
// What the bundle has of dagre.
export { Graph, layout } from "@dagrejs/dagre";
