/**
 * HTTP as a whiteboard: whoever registers an {@link dev.hearth.spi.http.HttpHandler} as a service with a prefix answers
 * requests below it, on the port the process has anyway. Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.http;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
