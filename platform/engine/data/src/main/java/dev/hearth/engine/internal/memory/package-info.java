/**
 * Memory management of an executor: how tasks and cached blocks share the heap. The design is that of Spark's unified
 * memory manager, with exact accounting and a fair share per task.
 *
 * <p><b>Terms.</b> <i>Execution memory</i> is what tasks use to sort, join and aggregate. <i>Storage memory</i> holds
 * cached blocks. Both come from one {@link MemoryBudget} per application; {@link ProcessMemory} keeps the budgets of
 * all applications in a process within the largest one. A <i>reservation</i> is a number of bytes that a consumer may
 * allocate: nothing here allocates, it only counts. A consumer that can release memory by writing to disk is
 * {@link Spillable}; memory without which it cannot work is <i>required</i>. Sizes of user objects are sampled
 * estimates: see {@link ObjectSizeEstimator}, {@link AppendOnlySizeEstimator} and {@link MutableTableSizeEstimator}.
 *
 * <p><b>Execution against storage.</b> Execution and storage may each use what the other leaves free. If execution
 * memory is short, it evicts cached blocks through {@link Evictable}. It does not evict the protected part of storage
 * ({@code hearth.memory.storageFraction}). Storage never takes memory from execution: a new block evicts older blocks,
 * or is not cached.
 *
 * <p><b>A request.</b> {@link TaskMemory#take} tries four sources in this order: the attempt's spare bytes, the free
 * memory of the pool, eviction of cached blocks, and spills. The other consumers of the same attempt spill, the
 * largest first. If that is not enough, the requester gets less than it asked for, and spills its own data. An attempt
 * never makes another attempt spill. A spill callback runs on the attempt's own thread, inside the request, once per
 * consumer. A consumer that reserves memory while it spills gets free memory, but makes no other consumer spill.
 *
 * <p><b>Fair share.</b> Of {@code n} active attempts, each may hold at most 1/n of the memory outside protected
 * storage. An attempt waits while it has less than 1/(2n) of the memory outside storage. So a new task gets its share
 * as soon as older ones release memory. {@link MemoryLedger} shows why the attempts never all wait.
 *
 * <p><b>Worked example.</b> A budget has 1,000 MB, half of it protected for storage. Cached blocks hold 800 MB. All
 * numbers below are in MB.
 * <ol>
 *   <li>Task A, which runs alone, asks for 400. Its limit is (1000 - 500) / 1 = 500. It gets 200 that are free, and
 *       200 by eviction. Cached blocks now hold 600.
 *   <li>Task B asks for 150. The limit of both tasks is now 250. 100 are evicted; the other 500 of the cached blocks
 *       are protected. So B can get only 100. That is less than (1000 - 500) / (2 * 2) = 125, so it waits.
 *   <li>Task A, which holds 400, asks for 64 more. A is over its limit, so the pool grants nothing, and the largest
 *       other consumer of A spills 64. While B waits, A keeps no spare bytes. So the 64 go to the pool, and the
 *       requester in A must spill its own data.
 *   <li>The release wakes B. 164 are free, so B gets its 150.
 * </ol>
 */
@NullMarked
package dev.hearth.engine.internal.memory;

import org.jspecify.annotations.NullMarked;
