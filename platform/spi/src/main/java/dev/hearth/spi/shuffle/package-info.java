/**
 * Map outputs outside of the executors that wrote them: what executors, drivers and a shuffle service share.
 * <p>{@code ShuffleServiceFactory} is implemented by the bundle shuffle-service and opened by a worker. An executor writes its
 * map outputs below directories that the worker owns, and an index file per output ({@code MapOutputIndex}). From then
 * on the service serves the output, whether or not the executor lives. Readers use {@code SegmentProtocol} and the
 * streams named by {@code SegmentStreamNames}, as they do with executors. By {@code
 * ShuffleServiceProtocol} the driver lets the service remove shuffles.
 * <p>Threads: any thread may call a service. Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.shuffle;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
