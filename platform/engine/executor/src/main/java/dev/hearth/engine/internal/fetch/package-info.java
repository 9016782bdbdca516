/**
 * Fetch: moves shuffle segments, cached blocks, map outputs and broadcast chunks between the executors of one
 * application. Each executor is a server ({@link BlockServer}, {@link CopyServer}) and a client ({@link FetchClient}) of
 * all others; blocks never pass through the driver, which only sends their locations.
 *
 * <p><b>Shuffle reads.</b> {@link RemoteShuffleReader} holds the map output locations of each shuffle ({@link
 * MapOutputTable}). {@link RemoteShuffleInput} reads the segments of one reducer in the order of the map tasks: from its own
 * store, from files of executors on the same machine, or over the network. {@link SegmentIndexClient} asks executors which
 * segments they have, for a range of map tasks at a time. {@link Prefetcher} prefetches segments: small ones of one
 * executor share a stream ({@link SegmentStream}), large ones go to a local file, and the bytes in flight are bounded by
 * {@link FetchSettings} and reserved from the task's memory.
 *
 * <p><b>Failures.</b> {@link FetchClient} retries a question or transfer while the connection fails, with a wait between
 * attempts, and fails all requests to an executor at once when the driver reports it as lost. A corrupt segment is
 * fetched once more; then its executor verifies its file, and the task reports a fetch failure with all map outputs
 * that are lost.
 *
 * <p><b>Copies.</b> {@link RemoteCachedBlocks} reads and replicates cached blocks, {@link MapOutputReceiver} receives map outputs
 * of a decommissioned executor, and {@link RemoteBroadcasts} fetches broadcast values in chunks from executors that
 * already have them. A file that arrives incompletely, or after its reader has ended, is deleted.
 */
@NullMarked
package dev.hearth.engine.internal.fetch;

import org.jspecify.annotations.NullMarked;
