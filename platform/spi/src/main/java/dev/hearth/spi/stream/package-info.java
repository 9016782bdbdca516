/**
 * Bulk data between processes: jars, files, directories and blocks.
 * <p>The module rpc implements {@code Streams} and {@code ContentStores}; the testkit simulates both. The engine serves
 * and fetches jars, map outputs and cached blocks with them. Modules that serve data implement {@code StreamProvider},
 * and modules that fetch data implement {@code StreamSink}. A content store accepts uploads from other processes.
 * <p>A stream is named, has a version tag and is fetched in ranges, so an interrupted transfer resumes. Each piece has
 * a checksum. Bulk data has separate connections and never delays messages.
 * <p>Threads: any thread may call. Providers and sinks run on threads for bulk data, which may block on the disk only.
 * Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.stream;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
