/**
 * Facts of a master in an ensemble of ZooKeeper, and the choice of the master that leads: the recovery mode ZOOKEEPER.
 *
 * <h2>Nodes</h2>
 * All nodes are below the directory of the cluster, {@code hearth.deploy.zookeeper.dir}:
 * <ul>
 * <li>{@code leader}: an ephemeral node with the address of the master that leads. It goes with the session of that master,
 * or is deleted by a standby that finds the port of the leader closed ({@code MasterProbe}).
 * <li>{@code epoch}: rewritten in the transaction that creates {@code leader}. Its version is the <em>epoch</em> of the leader.
 * <li>{@code facts/batch-N}: appended facts, as one or several <em>pieces</em> of at most 512 KiB.
 * <li>{@code snapshot}: names the snapshot that replaces all batches before a number.
 * <li>{@code snapshots/E-N/part-M}: the pieces of one snapshot.
 * </ul>
 *
 * <h2>Fencing</h2>
 * A session proves nothing to its owner: a master that has paused may believe that it leads while another one does. So each
 * write is a transaction that first checks the version of {@code epoch}. A new leader has rewritten {@code epoch} before it reads
 * the facts. From then on, no write of the leaders before it succeeds, whatever their clocks say.
 *
 * <h2>States</h2>
 * {@code CONNECTING -> FOLLOWING -> RECOVERING -> LEADING}, see {@code EnsembleCandidacy}. A lost session leads back to
 * {@code CONNECTING}, in the same process.
 *
 * <h2>Threads</h2>
 * Each candidacy has one event loop, which owns all of its state. ZooKeeper's own threads only pass results to it.
 *
 * <h2>A worked failure</h2>
 * Master A leads with epoch 4 and is stopped by SIGSTOP. Its session ends, its node {@code leader} goes. B watches it, creates
 * the node, rewrites {@code epoch} and leads with 5. A is continued and finds an append in its queue: the transaction
 * checks version 4, is refused, and A stands by. If the answer to a write is lost with a connection, A repeats it: a node that
 * exists already was written by the first attempt, since no other process can pass the check.
 */
@NullMarked
package dev.hearth.hazookeeper.internal;

import org.jspecify.annotations.NullMarked;
