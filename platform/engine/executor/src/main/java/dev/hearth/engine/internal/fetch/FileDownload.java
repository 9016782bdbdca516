package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.disk.ReceivedFile;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.spi.stream.StreamInfo;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Downloads one file from another executor. Each retry writes a new file. A caller cancels by completing the future of
 * {@link #start}. Invariant: a file that is not passed to the caller is deleted.
 */
final class FileDownload {
    private final FetchClient holders;
    private final BlockServerAddress holder;
    private final String name;
    private final long bytes;
    private final Supplier<ReceivedFile> files;
    private final int retries;
    private final AtomicReference<ReceivedFile> file = new AtomicReference<>();
    private final CompletableFuture<ReceivedFile> result = new CompletableFuture<>();

    FileDownload(
            FetchClient holders, BlockServerAddress holder, String name, long bytes, Supplier<ReceivedFile> files) {
        this(holders, holder, name, bytes, files, holders.retries());
    }

    /** {@code retries} is the maximum number of retries of this download, in place of the configured one. */
    FileDownload(
            FetchClient holders,
            BlockServerAddress holder,
            String name,
            long bytes,
            Supplier<ReceivedFile> files,
            int retries) {
        this.holders = holders;
        this.holder = holder;
        this.name = name;
        this.bytes = bytes;
        this.files = files;
        this.retries = retries;
    }

    /** Starts the download. Call it once. The result completes with the file when the file is completely written. */
    CompletableFuture<ReceivedFile> start() {
        CompletableFuture<StreamInfo> transfer = holders.fetch(holder, name, this::sink, retries);
        CompletionStage<StreamInfo> coming = transfer;
        coming.whenComplete((info, failure) -> {
            ReceivedFile last = failure == null ? file.getAndSet(null) : null;
            if (last == null) {
                result.completeExceptionally(
                        failure == null ? new IllegalStateException(name + ": completed without a file") : failure);
                abandon(file.getAndSet(null)); // no other file can appear, because the last attempt has ended
            } else if (!result.complete(last)) {
                last.abandon();
            }
        });
        CompletionStage<ReceivedFile> ending = result;
        ending.whenComplete((whole, failure) -> {
            if (failure != null) {
                transfer.completeExceptionally(failure); // aborts the transfer, unless the transfer itself has failed
            }
        });
        return result;
    }

    private FileSink sink() {
        ReceivedFile next = files.get();
        abandon(file.getAndSet(next));
        if (result.isDone()) { // the caller cancelled while a retry was about to start
            abandon(file.getAndSet(null));
        }
        return new FileSink(name, bytes, next);
    }

    private static void abandon(@Nullable ReceivedFile former) {
        if (former != null) {
            former.abandon();
        }
    }
}
