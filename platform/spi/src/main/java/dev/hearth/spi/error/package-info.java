/**
 * Error codes, their categories and the exit codes of processes.
 * <p>Every module creates its {@code HearthException}s through an {@code ErrorCode}. The code decides the exit code of
 * the process and the entry in docs/errors.md; a message has the form {@code subject: what was found (expected: the
 * rule); what to do}. {@code Failures} converts exceptions of futures and of other libraries into
 * {@code HearthException}s.
 * <p>Threads: everything here is immutable or stateless; any thread may call. Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.error;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
