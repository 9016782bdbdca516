/**
 * HTTP request handlers, which bundles register as OSGi services.
 * <p>A bundle registers an {@link dev.hearth.spi.http.HttpHandler} with a path prefix. Every process that listens for
 * messages serves the handler on the same port, so no bundle opens an HTTP port. The module rpc implements the server:
 * it parses, authenticates and dispatches requests, and adds length, ETag, range and compression to the responses. An
 * {@code EventSource} sends server-sent events, and a {@code BodySource} a body piece by piece. An {@code HttpGate}
 * decides on requests before handlers get them.
 * <p>Threads: handlers are called concurrently on worker threads that may block briefly, for example to read a file.
 * They may also complete a response later from any thread. Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.http;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
