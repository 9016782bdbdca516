/** Hadoop's configuration as far as it is read without Hadoop: where its files are, and single values in them. */
@NullMarked
package dev.hearth.yarn.internal.site;

import org.jspecify.annotations.NullMarked;
