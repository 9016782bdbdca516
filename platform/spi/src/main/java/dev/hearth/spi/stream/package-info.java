/**
 * Bulk data between processes: files, jars, directories and blocks by name, in ranges, checked and resumed; uploads into
 * stores of content. Never on a connection that carries messages. Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.stream;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
