/**
 * Storage: cached partitions of persisted datasets on one executor, in memory and on disk. The driver's view of all
 * executors, and the decisions to replicate and migrate, are in {@code driver}; copies between executors travel by
 * {@code fetch}.
 *
 * <h2>Terms</h2>
 * A <em>block</em> is one partition of one persisted dataset ({@link BlockId}), complete and immutable once it is
 * written. {@link BlockStore} is the block store of an executor: at most one copy of each block. The <em>storage
 * level</em> of the dataset says whether a block may use memory, disk or both, and whether elements are cached as
 * objects or serialised. A block in memory is a list of <em>batches</em> ({@link CachedBatch}): columns of immutable
 * elements, or pages of serialised records. A block on disk is one file with one frame per page. To <em>evict</em> is
 * to free the memory of a block, by moving it to disk or by dropping it. A <em>replica</em> is a copy of a block on
 * another executor.
 *
 * <h2>Writing</h2>
 * The first task that computes a partition passes its elements through {@link CachingIterator}, which adds each to a
 * {@link BlockWriter} before the consumer sees it. Immutable elements are cached as objects if the level says so, pairs
 * in two columns, numbers without boxes; the first mutable element switches the rest of the block to pages. Storage
 * memory is reserved before it is used. If it is refused, the block continues on disk, or, at a level without disk,
 * caching is abandoned: the job goes on and the partition is recomputed next time. A block is published only when the
 * last element has passed and none has failed; of two tasks that compute the same partition, one publishes and the
 * other discards.
 *
 * <h2>States of a block</h2>
 * <pre>
 * being written --&gt; in memory --evicted--&gt; on disk
 *       |              |                   |
 *    discarded      dropped             removed (unpersist, corrupt file, end of the application)
 * </pre>
 * {@link BlockListener} reports each change to the driver, which sends tasks to cached blocks. Every change of content
 * gets a new version, by which a copy notices that the block has moved.
 *
 * <h2>Eviction</h2>
 * Tasks and blocks share one memory budget. If either needs room, the store evicts the least recently used blocks,
 * with two exceptions: blocks that are being read, and blocks of the dataset that needs the room, since a scan that
 * evicted its own blocks would cache nothing. The file is written without the lock; if the block is removed meanwhile,
 * the file is deleted. After {@code localCheckpoint} a dataset cannot be recomputed: its blocks go to disk whatever
 * their level, and stay in memory if the disk fails ({@link BlockStore#makeOnly}).
 *
 * <h2>Replication, migration and remote reads</h2>
 * All three copy a block to another executor as pages, one at a time, or as a file. The receiver writes it as a
 * serialised block ({@link BlockStore#receive}). A replica or a migrated block is published there; a task that reads a
 * remote block borrows an unpublished copy ({@link BlockStore#lend}), which is released when the task has read it.
 *
 * <h2>Worked example: a block under pressure</h2>
 * Dataset 12 is persisted with MEMORY_AND_DISK_2, so the driver wants two replicas.
 * <ol>
 * <li>A task on executor A computes partition 5, 40 MiB of records. The block is published in version 1, and the
 * driver records A as its location.
 * <li>The driver orders executor B to copy the block. After 10 pages a sort on A needs memory. No task reads the
 * block, so A writes it to a file, releases 40 MiB, assigns version 2, and reports to the driver: 0 bytes in memory,
 * 38 MiB on disk.
 * <li>B asks for page 11 of version 1 and learns that this version is gone. It discards its copy and starts again, now
 * with the file.
 * <li>Later the file is corrupt on A. The next task that reads it there fails with {@link CorruptBlockException} after some
 * elements; the store removes the block, and the driver forgets the location.
 * <li>The retry of the task finds the replica on B, or recomputes partition 5 from the lineage and caches it again.
 * </ol>
 */
@NullMarked
package dev.hearth.engine.internal.storage;

import org.jspecify.annotations.NullMarked;
