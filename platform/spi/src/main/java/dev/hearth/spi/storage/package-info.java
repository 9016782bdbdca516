/**
 * Files of applications, wherever they are stored.
 * <p>A bundle that gives access to another kind of storage registers a {@code FileStores} service with the URI schemes
 * that it serves. The engine reads inputs, outputs, checkpoints, event logs and attached files through the stores. Glob
 * patterns, hidden names, splits, compression and the commit protocol are the engine's, so they are the same on every
 * store. Local files need no bundle: the engine has a store for the scheme {@code file}.
 * <p>Threads: calls may wait for disks and networks, so they never run on event loops. Several threads may call one
 * store at the same time. Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.storage;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
