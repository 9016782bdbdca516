/**
 * Shuffle: writes map output, stores it in the memory or on the disks of one process, and reads it for reduce tasks.
 * The package {@code fetch} reads from other executors; {@code dag} decides which map tasks run again.
 *
 * <h2>Terms</h2>
 * A shuffle has <em>map tasks</em>, which write pairs, and <em>reducers</em>, the reduce tasks of one partition each.
 * A <em>map output</em> ({@link MapOutput}) is everything that one map task wrote; a <em>segment</em> ({@link
 * ShuffleSegment}) is the part of it that one reducer reads. {@link PartitionSelector} assigns each key to a reducer by the
 * partitioner. A <em>batch</em> ({@link PairBatch}) is a group of pairs in memory: two <em>columns</em> of immutable
 * keys and values, or a <em>page</em> of serialised pairs.
 *
 * <h2>Writing</h2>
 * {@link ShuffleWriter} buffers pairs in one {@link PartitionBuffer} per reducer. Pairs fill columns, without
 * serialisation and without boxes for numbers, as long as keys and values are immutable. The first mutable value
 * switches the writer to pages, since the user may change the object after the write. Buffers reserve memory of the
 * task before they grow. If memory is refused, or a threshold of {@link ShuffleSettings} is reached, the writer spills
 * all buffers to one file with a segment per reducer ({@link PairFrameWriter}).
 *
 * <p>A file, as {@code disk} writes it, has the segments in the order of the reducers, then an index of their offsets
 * and a trailer. A segment consists of frames of whole records; each frame is cut into slices that are compressed,
 * encrypted if so configured, and covered by a checksum each. The checksum includes the position of the slice.
 * <pre>
 * segment 0 | segment 1 | ... | segment n-1 | n+1 offsets | n, file id, magic number, checksum
 * </pre>
 *
 * <h2>Storing</h2>
 * When its attempt has succeeded, an output is published in the {@link ShuffleStore} as a whole. A later success of
 * the same map task, for example of a speculative attempt, is ignored, so that all reducers read the same data. Barrier
 * stages are the exception: all their tasks run again together, and the outputs of a newer <em>run</em> replace those
 * of an older one.
 *
 * <p>Where all tasks run in one process, the last buffers stay in memory as storage memory. When tasks need room, the
 * store evicts whole outputs to disk, the oldest first. Where other processes read map outputs ({@link
 * ShuffleServices#isServed}), every output is exactly one file: spills are merged, and a segment is a range of bytes
 * that can be sent as it is. An output is deleted with its shuffle, when it is corrupt, or when a newer run replaces
 * it.
 *
 * <h2>Reading</h2>
 * {@link ShuffleReader#read} returns the segments of a reducer in the order of the map tasks, so that results do not
 * depend on timing. {@link StoredSegmentCursor} passes on columns as they are and leaves it to the {@link PairConsumer} whether
 * pages are deserialised or copied. A reader that began before an eviction continues with the memory or file that it
 * has open.
 *
 * <h2>Worked example: a corrupt file</h2>
 * Executors A and B run a job with 4 map tasks and 8 reducers; A has the outputs of map tasks 0 and 2. A disk of A
 * flips a bit in the output of map task 2.
 * <ol>
 * <li>Reducer 7 on B reads its segment of map task 2. A checksum does not match. The segment is fetched once more, in
 * case the network corrupted it, and is corrupt again.
 * <li>B asks A to verify the segment ({@link ShuffleStore#check}). A finds the same mismatch, deletes the output,
 * remembers the reason, and verifies the other outputs of the shuffle: the segments of reducer 7 in all of them, and
 * up to 256 MiB of the segments of other reducers. It finds map task 0 corrupt as well, deletes it, and answers with
 * both.
 * <li>The attempt on B fails with a {@link FetchFailedException}. It names the shuffle, map task 2, map task 0 as also
 * corrupt, and the path and offset for the log. It is a fetch failure, which does not count towards the failures of the
 * task.
 * <li>The driver removes the locations of both map outputs and runs map tasks 0 and 2 again, in a new attempt of the
 * map stage. Then it runs the missing reducers. Without step 2, each corrupt output would cost one of the few stage
 * attempts that a job has.
 * <li>A reducer that asks A meanwhile gets the answer that the output was deleted, and for which reason ({@link
 * ShuffleStore#whyMissing}).
 * </ol>
 * Had A found the segment intact, the failure would name the network between A and B, and A would keep the output.
 */
@NullMarked
package dev.hearth.engine.internal.shuffle;

import org.jspecify.annotations.NullMarked;
