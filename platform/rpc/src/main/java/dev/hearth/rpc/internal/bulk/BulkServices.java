package dev.hearth.rpc.internal.bulk;

import dev.hearth.spi.time.Ticker;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * Collaborators shared by all bulk connections of one RPC environment. {@code disk} executes slow disk operations;
 * {@code ids} supplies the ids of connections.
 */
record BulkServices(BulkTimeouts times, PieceChecksumCache checksums, Executor disk, Ticker ticker, LongSupplier ids) {}
