/**
 * The ResourceManager, seen by submitters: what they ask it, and what it reports. {@code YarnCluster} is the seam; only its
 * implementation here knows Hadoop's client.
 */
@NullMarked
package dev.hearth.yarn.internal.cluster;

import org.jspecify.annotations.NullMarked;
