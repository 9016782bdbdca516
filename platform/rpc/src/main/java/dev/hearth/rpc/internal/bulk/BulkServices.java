package dev.hearth.rpc.internal.bulk;

import dev.hearth.spi.time.Ticker;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/** What the connections of a bulk lane share; {@code disk} is for what takes longer than reading a piece,
 * {@code ids} gives each connection its number. */
record BulkServices(BulkTimeouts times, PieceChecksumCache checksums, Executor disk, Ticker ticker, LongSupplier ids) {}
