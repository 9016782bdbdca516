/**
 * Calls into Hadoop's client classes, for other bundles.
 * <p>A bundle that uses Hadoop imports {@code org.apache.hadoop.*} and holds the service {@code HadoopRuntime}, which
 * gives the merged configuration and calls Hadoop under the right context class loader. Threads: any. Stability:
 * evolving.
 */
@Export
@Version("0.2.0")
@NullMarked
package dev.hearth.hadoopclient.api;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
