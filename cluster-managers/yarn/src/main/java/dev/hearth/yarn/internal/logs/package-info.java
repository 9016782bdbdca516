/**
 * Outputs of drivers and executors on YARN, for `hearth logs`. While an application runs, they are read from the web service of
 * the NodeManager of each container; after its end, from the files that NodeManagers have collected on the cluster's file
 * system, which are there when a node is gone, too.
 *
 * <p>YARN knows containers, not executors. Each container of an executor has an empty log whose name says which one it is
 * ({@link dev.hearth.yarn.internal.cluster.ContainerLogs#mark}), so that it is found at the node and among collected files alike.
 */
@NullMarked
package dev.hearth.yarn.internal.logs;

import org.jspecify.annotations.NullMarked;
