/**
 * Hash aggregation of key-value pairs. {@link HashAggregator} combines all values of a key into one value
 * (reduceByKey, aggregateByKey). {@link HashGrouper} collects the values of a key (groupByKey, cogroup, joins). Both
 * work in memory while they can reserve enough. When memory is short, they spill sorted files, which are called runs,
 * as Spark's ExternalAppendOnlyMap does.
 *
 * <p><b>Table.</b> {@link KeyHashTable} is a hash table with open addressing. It numbers keys in the order of their
 * first appearance; the number is the key's <i>slot</i>. Keys and values are stored by slot in columns: int and long
 * keys, and int, long and double values, in primitive arrays, everything else as objects. The types of the first key
 * and the first value decide; a later key or value of another type converts its column to objects.
 * {@link AggregationBuffers} holds one aggregation buffer per slot, {@link JoinSide} all values of one side of a join.
 *
 * <p><b>Memory.</b> Each table has a small minimum reservation ({@link TableReservation}). Before an array grows, the
 * table reserves the bytes of the new array. The size of objects is estimated by sampling, at intervals that
 * {@link MemorySampler} decides. If a reservation is refused, or another consumer of the task needs memory, the table
 * spills.
 *
 * <p><b>Spill.</b> A spill writes the whole table as one run and clears it. A run is a sequence of entries, sorted by
 * {@code hashCode}. An entry has the hash code, the side of the join, the key and the values. If the output order
 * matters ({@link AggregationServices#inOrder}), it also has the <i>sequence number</i> of its key. Sequence numbers
 * count the keys in the order in which they were first seen. The table can also spill while its result is being read;
 * then only the keys not yet returned are written. A map-side aggregation does not spill: it sends its table
 * downstream, where keys are aggregated again.
 *
 * <p><b>Merge.</b> {@link HashRunMerge} merges all runs by hash code. All entries of one hash code are read into a
 * small table, which separates colliding keys. The table merges buffers or appends values in the order of the runs, so
 * the values of a key stay in the order of arrival. {@link SpilledHashRuns} opens as many files as memory allows; if
 * there are more, it first merges neighbouring runs. If there are sequence numbers, the merged keys are finally sorted
 * by them. That sort can spill as well.
 *
 * <p><b>Worked example.</b> A reduceByKey sums values. It reads b:1, a:1, b:2. Then a memory reservation fails, and
 * afterwards it reads c:5, a:7.
 * <ol>
 *   <li>The table is {b: 3, a: 1} with sequence numbers 0 and 1. It spills as run 0. The hash code of a is less than
 *       that of b, so a comes first. The entries (hash code, sequence number, key, value) are (hash a, 1, a, 1) and
 *       (hash b, 0, b, 3).
 *   <li>The cleared table is filled with {c: 5, a: 7} with sequence numbers 2 and 3, which become run 1 at the end.
 *   <li>The merge returns a: 1 + 7 = 8 with sequence number 1, the least one of that key, then b: 3 and c: 5.
 *   <li>The sort by sequence number returns b: 3, a: 8, c: 5, the order of a table that never spilled.
 * </ol>
 */
@NullMarked
package dev.hearth.engine.internal.aggregate;

import org.jspecify.annotations.NullMarked;
