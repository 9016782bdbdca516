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
 * One file of another executor on its way to a file here; a try that broke off begins with another file. Whoever waits may end it by
 * completing what {@link #start} gave. Invariant: a file that is not handed over is removed.
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

    /** As above, with a bound of its own on the tries after the first. */
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

    /** Begins, once; completes with all of it written. */
    CompletableFuture<ReceivedFile> start() {
        CompletableFuture<StreamInfo> transfer = holders.fetch(holder, name, this::sink, retries);
        CompletionStage<StreamInfo> coming = transfer;
        coming.whenComplete((info, failure) -> {
            ReceivedFile last = failure == null ? file.getAndSet(null) : null;
            if (last == null) {
                result.completeExceptionally(
                        failure == null ? new IllegalStateException(name + ": came without a file") : failure);
                abandon(file.getAndSet(null)); // behind that no try leaves another one
            } else if (!result.complete(last)) {
                last.abandon();
            }
        });
        CompletionStage<ReceivedFile> ending = result;
        ending.whenComplete((whole, failure) -> {
            if (failure != null) {
                transfer.completeExceptionally(failure); // aborts it, unless it is what has failed
            }
        });
        return result;
    }

    private FileSink sink() {
        ReceivedFile next = files.get();
        abandon(file.getAndSet(next));
        if (result.isDone()) { // while whoever tries again was about to
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
