/**
 * Embeds Hadoop's client once per process (ADR 0071), configures it, and releases it again (ADR 0072).
 * <p>{@code EmbeddedHadoop} starts Hadoop at its first use. {@code StaticTables} then loads what Hadoop keeps in static
 * fields under the bundle's class loader. At the end of the bundle {@code HadoopShutdown} ends what would keep that
 * loader in memory. {@code CacheRelease} removes the classes of an application that ended from Hadoop's caches.
 * {@code ConfigurationMerge} merges configurations; {@code SiteClassLoader} lets Hadoop find the site files.
 */
@NullMarked
package dev.hearth.hadoopclient.internal;

import org.jspecify.annotations.NullMarked;
