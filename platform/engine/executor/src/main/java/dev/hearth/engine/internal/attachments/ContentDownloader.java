package dev.hearth.engine.internal.attachments;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.stream.Streams;
import dev.hearth.spi.time.Ticker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Downloads files that the driver serves, by their content hash. A file is taken from the cache that all processes of
 * the user share on this machine. If it is not cached, it is first streamed from the driver into the cache. The cache
 * is in the first local directory that can be used. Any thread may call; stateless.
 */
public final class ContentDownloader {
    private static final Logger LOG = LoggerFactory.getLogger(ContentDownloader.class);

    private final Supplier<Streams> streams;
    private final RpcAddress driver;
    private final Supplier<List<Path>> directories;
    private final Ticker ticker;
    private final Executor work;

    /**
     * {@code directories} are the local directories in which the cache may be, in order of preference. {@code work}
     * runs the steps that access disks.
     */
    public ContentDownloader(
            Supplier<Streams> streams,
            RpcAddress driver,
            Supplier<List<Path>> directories,
            Ticker ticker,
            Executor work) {
        this.streams = streams;
        this.driver = driver;
        this.directories = directories;
        this.ticker = ticker;
        this.work = work;
    }

    /**
     * Download of the file with one content hash. {@code directories} are the local directories that are still to be
     * tried as the place of the cache, and {@code subject} begins error messages.
     */
    private record Download(String stream, ContentId content, String subject, List<Path> directories) {
        Download next() {
            return new Download(stream, content, subject, directories.subList(1, directories.size()));
        }
    }

    /**
     * Downloads the file that the driver serves as {@code stream}, unless it is already cached, and places it at {@code
     * target}. If {@code own} is set, the target is a separate copy; otherwise it is a link where the file system
     * allows it.
     */
    public CompletionStage<Path> fetch(String stream, ContentId content, String subject, Path target, boolean own) {
        return CompletableFuture.supplyAsync(directories, work)
                .thenCompose(local -> cached(new Download(stream, content, subject, local)))
                .thenApplyAsync(file -> placed(subject, file, target, own), work);
    }

    private CompletionStage<Path> cached(Download want) {
        CompletionStage<Path> attempt =
                CompletableFuture.supplyAsync(() -> open(want), work).thenCompose(cache -> find(cache, want));
        return attempt.handle((file, failure) -> {
                    boolean disk = failure != null && Failures.code(failure) == ErrorCode.DISK_FAILED;
                    if (!disk || want.directories.size() == 1) {
                        return attempt;
                    }
                    LOG.warn("{}: {}; the next local directory is tried", want.subject, Failures.describe(failure));
                    return cached(want.next());
                })
                .thenCompose(Function.identity());
    }

    private ContentCache open(Download want) {
        try {
            return ContentCache.below(want.directories.get(0).toAbsolutePath(), ticker, ContentCache.BYTES_MAX);
        } catch (IOException failure) {
            throw failed(want.subject, failure);
        }
    }

    private CompletionStage<Path> find(ContentCache cache, Download want) {
        try {
            var found = cache.find(want.content);
            if (found.isPresent()) {
                return CompletableFuture.completedStage(found.get());
            }
        } catch (IOException failure) {
            throw failed(want.subject, failure);
        }
        Path incoming = cache.incoming();
        return streams.get()
                .download(driver, want.stream, incoming)
                .thenApplyAsync(info -> add(cache, incoming, want), work)
                .whenComplete((file, failure) -> {
                    if (failure != null) {
                        cache.abandon(incoming);
                    }
                });
    }

    private static Path add(ContentCache cache, Path incoming, Download want) {
        try {
            return cache.add(incoming, want.content, want.subject);
        } catch (IOException failure) {
            throw failed(want.subject, failure);
        }
    }

    private static Path placed(String subject, Path file, Path target, boolean own) {
        try {
            place(subject, file, target, own);
            return target;
        } catch (IOException failure) {
            throw failed(subject, failure);
        }
    }

    /**
     * Places a cached file at {@code target}. If {@code own} is set, tasks may write to the target, so it is a copy.
     * Otherwise it is a link where the file system allows it.
     */
    public static void place(String subject, Path content, Path target, boolean own) throws IOException {
        if (!own) {
            try {
                Files.createLink(target, content);
                return;
            } catch (IOException | UnsupportedOperationException unlinked) {
                LOG.debug("{}: copied, as links are not possible", subject, unlinked);
            }
        }
        Files.copy(content, target, StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * Waits until a download of {@link #fetch} has completed. Fails if the download fails or the calling thread is
     * interrupted.
     */
    public static void await(CompletionStage<Path> download, String subject) throws IOException {
        try {
            download.toCompletableFuture().get();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException(subject + ": the waiting thread was interrupted", interrupted);
        } catch (ExecutionException failure) {
            throw Failures.asHearth(failure, ErrorCode.INTERNAL, subject);
        }
    }

    private static HearthException failed(String subject, IOException failure) {
        return ErrorCode.DISK_FAILED.failure(
                subject + ": cannot be stored on this machine, " + failure
                        + " (expected: a local directory with free space for it); free some space, or name other"
                        + " directories in hearth.local.dir",
                failure);
    }
}
