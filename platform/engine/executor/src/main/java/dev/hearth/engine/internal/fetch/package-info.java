/**
 * Fetch: moves shuffle segments, cached blocks, map outputs and broadcast chunks between the executors of one
 * application. Each executor is a server ({@link BlockServer}, {@link CopyServer}) and a client ({@link FetchClient})
 * of all other executors; blocks never pass through the driver, which only sends their locations.
 *
 * <p><b>Shuffle reads.</b> {@link RemoteShuffleReader} stores the map output locations of each shuffle ({@link
 * MapOutputTable}). {@link RemoteShuffleInput} reads the segments of one reducer in the order of the map tasks: from
 * this executor's store, from files of executors on the same machine, or over the network. {@link SegmentIndexClient}
 * asks executors which segments they have, for a range of map tasks at a time. {@link Prefetcher} prefetches segments.
 * Small segments of one executor share a stream ({@link SegmentStream}), and large ones go to a local file. {@link
 * FetchSettings} limits the bytes in flight, which are reserved from the task's memory.
 *
 * <p><b>Failures.</b> While the connection fails, {@link FetchClient} retries a request or transfer, with a wait
 * between attempts. When the driver reports an executor as lost, all requests to it fail at once. A corrupt segment is
 * fetched once more. If the second copy is corrupt too, the serving executor verifies its file. The task then reports
 * a fetch failure with all map outputs that are lost.
 *
 * <p><b>Copies.</b> {@link RemoteCachedBlocks} reads and replicates cached blocks. {@link MapOutputReceiver} receives
 * map outputs of a decommissioned executor. {@link RemoteBroadcasts} fetches broadcast values in chunks, also from
 * executors that already have them. A file that arrives incompletely, or after its reader has ended, is deleted.
 */
@NullMarked
package dev.hearth.engine.internal.fetch;

import org.jspecify.annotations.NullMarked;
