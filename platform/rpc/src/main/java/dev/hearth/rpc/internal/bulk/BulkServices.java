package dev.hearth.rpc.internal.bulk;

import dev.hearth.spi.time.Ticker;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * Collaborators shared by the connections of a bulk lane. {@code disk} runs slow disk operations; {@code ids} numbers
 * the connections.
 */
record BulkServices(BulkTimeouts times, PieceChecksumCache checksums, Executor disk, Ticker ticker, LongSupplier ids) {}
