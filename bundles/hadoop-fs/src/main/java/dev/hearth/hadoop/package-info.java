/**
 * Input and output formats of Hadoop, for applications that ask for this package and {@code org.apache.hadoop.*}.
 * <p>{@code HadoopContext} reads: an input format computes the splits on the driver, each split becomes a partition near
 * its hosts, and its records become pairs. {@code HadoopOutput} writes: each partition is a task attempt of Hadoop, and
 * the committer of the output format publishes the whole once all attempts have committed. Records are copies, because
 * readers of Hadoop fill the same objects again and again. Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.hadoop;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
