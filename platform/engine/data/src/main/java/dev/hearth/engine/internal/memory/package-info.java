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
 * <p><b>Execution against storage.</b> Each side may use what the other leaves free. When execution is short it evicts
 * cached blocks down to the protected part ({@code hearth.memory.storageFraction}), through {@link Evictable}. Storage
 * never takes memory from execution: a block that needs room evicts older blocks, or is not cached.
 *
 * <p><b>A request.</b> {@link TaskMemory#take} tries, in this order: the attempt's spare bytes, the free memory of the
 * pool, eviction, spills of the other consumers of the same attempt, the largest first. Then the requester gets less
 * than it asked for, and spills by itself. An attempt never makes another attempt spill. A spill callback runs on the
 * attempt's own thread, inside the request, once per consumer. A consumer that reserves memory while it spills gets
 * what is free and makes no other consumer spill.
 *
 * <p><b>Fair share.</b> Of {@code n} active attempts each may hold at most 1/n of the memory outside protected storage.
 * It waits while it has less than 1/(2n) of the memory outside storage, so a new task gets its share as soon as older
 * ones release memory. {@link MemoryLedger} shows why they never all wait.
 *
 * <p><b>Worked example.</b> A budget of 1,000 MB, half of it protected; cached blocks hold 800.
 * <ol>
 *   <li>Task A, alone, asks for 400: its limit is (1000 - 500) / 1 = 500. 200 are free, 200 evicted: storage is 600.
 *   <li>Task B asks for 150. The limit of both is now 250. 100 are evicted; the remaining 500 are protected. B has 100
 *       within reach, less than (1000 - 500) / (2 * 2) = 125, so it waits.
 *   <li>A, which holds 400, asks for 64 more. It is over its limit, so the pool grants nothing and its largest other
 *       consumer spills 64. While B waits, A keeps no spare bytes: the 64 go to the pool, and the requester in A has
 *       to spill by itself.
 *   <li>The release wakes B. 164 are free, so it gets its 150.
 * </ol>
 */
@NullMarked
package dev.hearth.engine.internal.memory;

import org.jspecify.annotations.NullMarked;
